import * as v from "valibot";
import { type Operation, ServiceError } from "../http/aws-json.ts";
import { AlarmPropertiesError } from "./alarm-properties.ts";
import { CompositeRuleError } from "./composite-rule.ts";
import { MetricMathError } from "./metric-math-tokens.ts";

/** A time in a request: seconds since the epoch, to epoch milliseconds. */
export const timeSchema = v.pipe(
  v.number(),
  v.transform((seconds) => seconds * 1000),
);

/** @throws ServiceError that names the first field that is wrong. */
export function readRequest<T>(schema: v.GenericSchema<unknown, T>, input: unknown): T {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const issue = result.issues[0];
  throw invalidParameter(`${v.getDotPath(issue) ?? "request"}: ${issue.message}`);
}

export function invalidParameter(message: string): ServiceError {
  return new ServiceError("InvalidParameterValueException", message, {
    queryCode: "InvalidParameterValue",
  });
}

export function notFound(alarmName: string): ServiceError {
  return new ServiceError("ResourceNotFound", `There is no alarm \`${alarmName}\``, {
    status: 404,
    queryCode: "ResourceNotFound",
  });
}

/** The page of `items` that starts at `token`, and the token of the next one.
 *  @throws ServiceError for a token that no earlier page gave. */
export function pageOf<T>(
  items: readonly T[],
  size: number,
  token = "0",
): { readonly page: readonly T[]; readonly NextToken?: string } {
  const start = /^\d{1,9}$/.test(token) ? Number(token) : -1;
  if (start < 0) throw new ServiceError("InvalidNextToken", `No page starts at \`${token}\``);
  const end = start + size;
  const page = items.slice(start, end);
  return end < items.length ? { page, NextToken: String(end) } : { page };
}

/** Lets operations answer with CloudWatch's ValidationError to what an alarm or expression may not be. */
export function withValidationErrors(
  operations: Readonly<Record<string, Operation>>,
): Readonly<Record<string, Operation>> {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, validating(operation)]),
  );
}

function validating(operation: Operation): Operation {
  return (input, request) => {
    try {
      return operation(input, request);
    } catch (error) {
      throw isRefusal(error) ? validationError(error.message) : error;
    }
  };
}

function isRefusal(error: unknown): error is Error {
  return (
    error instanceof AlarmPropertiesError ||
    error instanceof CompositeRuleError ||
    error instanceof MetricMathError
  );
}

function validationError(message: string): ServiceError {
  return new ServiceError("ValidationException", message, { queryCode: "ValidationError" });
}
