import * as v from "valibot";
import { ServiceError } from "../http/aws-json.ts";

/** @throws ServiceError that names the first field that is wrong. */
export function readRequest<T>(schema: v.GenericSchema<unknown, T>, input: unknown): T {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const issue = result.issues[0];
  throw validationError(
    `1 validation error detected: at '${v.getDotPath(issue) ?? "request"}': ${issue.message}`,
  );
}

export function validationError(message: string): ServiceError {
  return new ServiceError("com.amazon.coral.validate#ValidationException", message);
}

/** Full `__type` of an error of DynamoDB's own. */
export function typeOf(name: string): string {
  return `com.amazonaws.dynamodb.v20120810#${name}`;
}

/** Whether DynamoDB answered with its own error of this name. */
export function isErrorOf(error: unknown, name: string): error is ServiceError {
  return error instanceof ServiceError && error.type === typeOf(name);
}

export const conditionFailureSchema = v.optional(v.picklist(["ALL_OLD", "NONE"]), "NONE");
