import { ServiceError } from "../http/aws-json.ts";

/** The answer to a parameter that is there and wrong. */
export function invalidParameter(message: string): ServiceError {
  return new ServiceError("com.amazon.coral.service#InvalidParameterValueException", message, {
    queryCode: "InvalidParameterValue",
  });
}

/** `invalidParameter` in the words that SQS uses for most of them. */
export function invalidValue(parameter: string, value: unknown, reason: string): ServiceError {
  return invalidParameter(
    `Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );
}

export function missingParameter(parameter: string): ServiceError {
  return new ServiceError(
    "com.amazon.coral.service#MissingRequiredParameterException",
    `The request must contain the parameter ${parameter}.`,
    { queryCode: "MissingParameter" },
  );
}

/** An error that SQS names alike on the wire and in the older query protocol. */
export function sqsError(name: string, message: string, queryCode = name): ServiceError {
  return new ServiceError(`com.amazonaws.sqs#${name}`, message, { queryCode });
}

/** An error whose query code carries the service's old prefix. */
export function prefixedError(name: string, message: string, status = 400): ServiceError {
  const queryCode = `AWS.SimpleQueueService.${name}`;
  return new ServiceError(`com.amazonaws.sqs#${name}`, message, { queryCode, status });
}

export function queueDoesNotExist(): ServiceError {
  return sqsError(
    "QueueDoesNotExist",
    "The specified queue does not exist.",
    "AWS.SimpleQueueService.NonExistentQueue",
  );
}

export function resourceNotFound(message: string): ServiceError {
  return new ServiceError("com.amazonaws.sqs#ResourceNotFoundException", message, {
    queryCode: "ResourceNotFoundException",
    status: 404,
  });
}
