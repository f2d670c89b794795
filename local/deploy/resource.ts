import * as v from "valibot";
import type { Cloud } from "../cloud.ts";
import type { Assets } from "./assets.ts";
import type { Clients } from "./clients.ts";
import type { Created } from "./created.ts";
import type { DeployedResource } from "./deployed-resource.ts";
import type { StackIdentity } from "./template-values.ts";

/** The stack that is being deployed, and where to. */
export type Stack = StackIdentity & {
  readonly cloud: Cloud;
  readonly clients: Clients;
  readonly assets: Assets;
  /** Makes the names that are made up differ from those of the resource's predecessors; empty for
   *  the first. */
  readonly nameSalt: string;
  /** Has something ended when the deployment is stopped or the resource goes. */
  onStop(stop: () => void): void;
};

/** A resource to be created. */
export type ResourceRequest = {
  readonly logicalId: string;
  readonly type: string;
  /** With all functions resolved. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly stack: Stack;
};

/** Creates the resources of one type. @throws Error where AWS would refuse it. */
export type Create = (request: ResourceRequest) => Created | Promise<Created>;

/**
 * Changes a resource to the request's properties. `replace`: it takes another one in its place.
 * @throws RangeError for a change that is not served here, Error where AWS would refuse it.
 */
export type Change = (
  request: ResourceRequest,
  before: DeployedResource,
) => Created | "replace" | Promise<Created | "replace">;

/** Deletes a resource. @throws Error where AWS would refuse it. */
export type Remove = (resource: DeployedResource, stack: Stack) => void | Promise<void>;

/**
 * Reads a resource's properties.
 * @throws RangeError that names the property. The deploy adds which resource it was.
 */
export function readProperties<T>(
  schema: v.GenericSchema<unknown, T>,
  { properties }: ResourceRequest,
): T {
  const { success, output, issues } = v.safeParse(schema, properties);
  if (success) return output;
  const [issue] = issues;
  throw new RangeError(`Property ${v.getDotPath(issue) ?? "(all)"}: ${issue.message}`);
}

/** Tags as a template lists them. */
export const tagsSchema = v.optional(v.array(v.object({ Key: v.string(), Value: v.string() })), []);
