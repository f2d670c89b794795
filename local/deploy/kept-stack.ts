import { createHash, randomUUID } from "node:crypto";
import type { KeptMap } from "../kept-map.ts";
import { arnOf } from "./arn.ts";
import type { Created } from "./created.ts";
import type { StackIdentity } from "./template-values.ts";

/** A stack as a cloud's folder keeps it. */
export type KeptStack = {
  readonly stackId: string;
  /** By logical id. */
  readonly resources: Readonly<Record<string, KeptResource>>;
};

type KeptResource = {
  readonly created: Created;
  /** Of the properties in the template that it was created from. */
  readonly digest: string;
};

/** What is known of a stack's resources from an earlier start in the same folder. */
export type StackMemory = {
  readonly stackId: string;
  /** Whether nobody has deployed it before. */
  readonly isNew: boolean;
  /**
   * The resource if it was created before.
   * @throws RangeError if the template has other properties for it now: nothing is updated here.
   */
  recall(logicalId: string, properties: unknown): Created | undefined;
  remember(logicalId: string, properties: unknown, created: Created): void;
  /** The resource is no longer the stack's. */
  forget(logicalId: string): void;
  /** There is no such stack any more; a later one of its name gets an id of its own. */
  end(): void;
};

/** A stack that is new gets an id of its own. */
export function openStackMemory(
  stacks: KeptMap<KeptStack>,
  { stackName, ...account }: Omit<StackIdentity, "stackId">,
): StackMemory {
  const stackOf = (): KeptStack =>
    stacks.get(stackName) ?? {
      stackId: arnOf(account, "cloudformation", `stack/${stackName}/${randomUUID()}`),
      resources: {},
    };
  const isNew = stacks.get(stackName) === undefined;
  // Kept before anything is created: the resources' names follow from it.
  stacks.set(stackName, stackOf());
  return {
    stackId: stackOf().stackId,
    isNew,
    recall(logicalId, properties): Created | undefined {
      const kept = stackOf().resources[logicalId];
      if (kept === undefined || kept.digest === digestOf(properties)) return kept?.created;
      throw new RangeError(
        "Expected the properties with which it was created, got others, and nothing is updated in place here. Start in an empty folder",
      );
    },
    remember(logicalId, properties, created): void {
      const { stackId, resources } = stackOf();
      const kept: KeptResource = { created, digest: digestOf(properties) };
      stacks.set(stackName, { stackId, resources: { ...resources, [logicalId]: kept } });
    },
    forget(logicalId): void {
      const { stackId, resources } = stackOf();
      const others = Object.entries(resources).filter(([id]) => id !== logicalId);
      stacks.set(stackName, { stackId, resources: Object.fromEntries(others) });
    },
    end: () => stacks.delete(stackName),
  };
}

function digestOf(properties: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(properties ?? {}))
    .digest("hex");
}
