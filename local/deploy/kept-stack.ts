import { createHash, randomUUID } from "node:crypto";
import type { KeptMap } from "../kept-map.ts";
import { arnOf } from "./arn.ts";
import type { Created } from "./created.ts";
import { START_ANEW } from "./deploy-error.ts";
import type { StackIdentity } from "./template-values.ts";

/** A stack as a cloud's folder keeps it. */
export type KeptStack = {
  readonly stackId: string;
  /** By logical id. */
  readonly resources: Readonly<Record<string, KeptResource>>;
  /** By logical id, of resources that are not the first of theirs. */
  readonly salts?: Readonly<Record<string, string>>;
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
  /** The resource is no longer the stack's; another one of its id will have a name of its own. */
  forget(logicalId: string): void;
  /** What tells the made-up name of a resource from those of its predecessors: none at first. */
  saltOf(logicalId: string): string;
  /** A resource is to be created whose name is not that of its predecessor, which may be there still
   *  or may have been retained. Gives what takes this back. */
  renew(logicalId: string): () => void;
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
  const saltTo = (logicalId: string, salt: string): void => {
    const kept = stackOf();
    stacks.set(stackName, { ...kept, salts: { ...kept.salts, [logicalId]: salt } });
  };
  const saltOf = (logicalId: string): string => stackOf().salts?.[logicalId] ?? "";
  // Kept before anything is created: the resources' names follow from it.
  stacks.set(stackName, stackOf());
  return {
    stackId: stackOf().stackId,
    isNew,
    recall(logicalId, properties): Created | undefined {
      const kept = stackOf().resources[logicalId];
      if (kept === undefined || kept.digest === digestOf(properties)) return kept?.created;
      throw new RangeError(
        `Expected the properties with which it was created, got others, and a start updates nothing in place. ${START_ANEW}`,
      );
    },
    remember(logicalId, properties, created): void {
      const { resources, ...stack } = stackOf();
      const kept: KeptResource = { created, digest: digestOf(properties) };
      stacks.set(stackName, { ...stack, resources: { ...resources, [logicalId]: kept } });
    },
    forget(logicalId): void {
      const { resources, ...stack } = stackOf();
      const others = Object.entries(resources).filter(([id]) => id !== logicalId);
      stacks.set(stackName, { ...stack, resources: Object.fromEntries(others) });
      saltTo(logicalId, randomUUID());
    },
    saltOf,
    renew(logicalId): () => void {
      const before = saltOf(logicalId);
      saltTo(logicalId, randomUUID());
      return () => saltTo(logicalId, before);
    },
    end: () => stacks.delete(stackName),
  };
}

function digestOf(properties: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(properties ?? {}))
    .digest("hex");
}
