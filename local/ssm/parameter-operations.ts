import { type Operation, ServiceError } from "../http/aws-json.ts";
import {
  nameSchema,
  namesSchema,
  pathSchema,
  putSchema,
  readRequest,
} from "./parameter-request.ts";
import type { Parameter, ParameterStore } from "./parameter-store.ts";

/** Parameter Store's operations. Secure strings are kept as they are, and always come decrypted. */
export function parameterOperations(
  store: ParameterStore,
  arnPrefix: string,
): Readonly<Record<string, Operation>> {
  return {
    PutParameter: (input) => putParameter(store, input),
    GetParameter(input): unknown {
      const { Name } = readRequest(nameSchema, input);
      return { Parameter: shown(store.get(Name), arnPrefix, selectorOf(Name)) };
    },
    GetParameters: (input) => getParameters(store, arnPrefix, input),
    GetParametersByPath: (input) => getParametersByPath(store, arnPrefix, input),
    DeleteParameter(input): unknown {
      store.delete(readRequest(nameSchema, input).Name);
      return {};
    },
  };
}

function putParameter(store: ParameterStore, input: unknown): unknown {
  const { Name, Value, Type, Overwrite, Tier } = readRequest(putSchema, input);
  const { version } = store.put({ name: Name, value: Value, type: Type, overwrite: Overwrite });
  return { Version: version, Tier: Tier === "Advanced" ? "Advanced" : "Standard" };
}

function getParameters(store: ParameterStore, arnPrefix: string, input: unknown): unknown {
  const Parameters: unknown[] = [];
  const InvalidParameters: string[] = [];
  for (const name of readRequest(namesSchema, input).Names) {
    const parameter = found(store, name);
    if (parameter === undefined) InvalidParameters.push(name);
    else Parameters.push(shown(parameter, arnPrefix, selectorOf(name)));
  }
  return { Parameters, InvalidParameters };
}

function getParametersByPath(store: ParameterStore, arnPrefix: string, input: unknown): unknown {
  const { Path, Recursive, MaxResults, NextToken } = readRequest(pathSchema, input);
  const prefix = Path.endsWith("/") ? Path : `${Path}/`;
  const matching = store
    .all()
    .filter(({ name }) => name.startsWith(prefix))
    .filter(({ name }) => Recursive || !name.slice(prefix.length).includes("/"));
  // The token is the last name shown, so that a page stays in place when parameters come and go.
  const after = NextToken === undefined ? "" : nameOfToken(NextToken);
  const rest = matching.filter(({ name }) => name > after);
  const page = rest.slice(0, MaxResults);
  const last = page.at(-1);
  return {
    Parameters: page.map((parameter) => shown(parameter, arnPrefix)),
    ...(last === undefined || page.length === rest.length
      ? {}
      : { NextToken: Buffer.from(last.name).toString("base64") }),
  };
}

function nameOfToken(token: string): string {
  const name = Buffer.from(token, "base64").toString();
  if (Buffer.from(name).toString("base64") === token && name.startsWith("/")) return name;
  throw new ServiceError("InvalidNextToken", "The specified token isn't valid.");
}

function found(store: ParameterStore, selector: string): Parameter | undefined {
  try {
    return store.get(selector);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function selectorOf(name: string): string | undefined {
  const colon = name.indexOf(":");
  return colon < 0 ? undefined : name.slice(colon);
}

function shown(parameter: Parameter, arnPrefix: string, selector?: string): unknown {
  const { name, type, value, version, modifiedAtMs } = parameter;
  return {
    Name: name,
    Type: type,
    Value: value,
    Version: version,
    LastModifiedDate: modifiedAtMs / 1000,
    ARN: `${arnPrefix}${name.startsWith("/") ? "" : "/"}${name}`,
    DataType: "text",
    ...(selector === undefined ? {} : { Selector: selector }),
  };
}
