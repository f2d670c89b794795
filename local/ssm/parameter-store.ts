import { ServiceError } from "../http/aws-json.ts";
import type { KeptMap } from "../kept-map.ts";

export type ParameterType = "String" | "StringList" | "SecureString";

/** One version of a parameter. */
export type Parameter = {
  readonly name: string;
  readonly type: ParameterType;
  readonly value: string;
  /** 1 on creation, one more with each overwrite. */
  readonly version: number;
  readonly modifiedAtMs: number;
};

/** A parameter to be written. */
export type NewParameter = {
  readonly name: string;
  readonly value: string;
  /** The type that the parameter has, or String for a new one, where it is left out. */
  readonly type?: ParameterType | undefined;
  readonly overwrite: boolean;
};

/** Parameters and their versions. */
export type ParameterStore = {
  /** @throws ServiceError ParameterAlreadyExists, ValidationException */
  put(parameter: NewParameter): Parameter;
  /** Newest version, or the one that a `:version` at the end of the name selects.
   *  @throws ServiceError ParameterNotFound, ParameterVersionNotFound */
  get(selector: string): Parameter;
  /** Newest versions of all parameters, by name. */
  all(): readonly Parameter[];
  /** @throws ServiceError ParameterNotFound */
  delete(name: string): void;
};

/** Older versions are forgotten beyond this many, as SSM does.
 *  https://docs.aws.amazon.com/systems-manager/latest/userguide/sysman-paramstore-versions.html */
const VERSIONS_MAX = 100;

/** By name, the oldest version first. */
export type KeptParameters = KeptMap<readonly Parameter[]>;

export function createParameterStore(
  now: () => number,
  parameters: KeptParameters,
): ParameterStore {
  function versionsOf(name: string): readonly Parameter[] {
    const versions = parameters.get(name);
    if (versions === undefined) throw notFound(name);
    return versions;
  }
  return {
    put({ name, value, type, overwrite }): Parameter {
      const versions = parameters.get(name) ?? [];
      const last = versions.at(-1);
      if (last !== undefined && !overwrite) throw alreadyExists();
      const written: Parameter = {
        name,
        type: type ?? last?.type ?? "String",
        value,
        version: (last?.version ?? 0) + 1,
        modifiedAtMs: now(),
      };
      parameters.set(name, [...versions, written].slice(-VERSIONS_MAX));
      return written;
    },
    get(selector): Parameter {
      const [name = "", version] = selector.split(":");
      const found = versionsOf(name).findLast(
        (each) => version === undefined || String(each.version) === version,
      );
      if (found === undefined) throw versionNotFound(name, version);
      return found;
    },
    all(): readonly Parameter[] {
      const newest = parameters.entries().flatMap(([, versions]) => versions.slice(-1));
      return newest.toSorted((left, right) => (left.name < right.name ? -1 : 1));
    },
    delete(name): void {
      versionsOf(name);
      parameters.delete(name);
    },
  };
}

function notFound(name: string): ServiceError {
  return new ServiceError("ParameterNotFound", `There is no parameter \`${name}\``);
}

function versionNotFound(name: string, version: string | undefined): ServiceError {
  return new ServiceError(
    "ParameterVersionNotFound",
    `There is no version \`${version}\` of the parameter \`${name}\``,
  );
}

function alreadyExists(): ServiceError {
  return new ServiceError(
    "ParameterAlreadyExists",
    "The parameter already exists. To overwrite this value, set the overwrite option in the request to true.",
  );
}
