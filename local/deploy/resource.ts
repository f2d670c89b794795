import * as v from "valibot";
import type { Cloud } from "../cloud.ts";
import type { Assets } from "./assets.ts";
import type { Clients } from "./clients.ts";
import type { Created } from "./created.ts";
import type { Template } from "./template.ts";
import type { StackIdentity } from "./template-values.ts";

/** The stack that is being deployed, and where to. */
export type Stack = StackIdentity & {
  readonly cloud: Cloud;
  readonly clients: Clients;
  readonly assets: Assets;
  /** Without its conditions. */
  readonly template: Template;
  /** Has something ended when the deployment is stopped. */
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
