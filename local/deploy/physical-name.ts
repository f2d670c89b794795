import { createHash } from "node:crypto";
import type { StackIdentity } from "./template-values.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const SUFFIX_LENGTH = 12;

export type PhysicalNameOptions = {
  /** The most that the service allows, with the ending. @default 255 */
  readonly lengthMax?: number;
  /** @default nothing */
  readonly ending?: string;
};

type NamedStack = Pick<StackIdentity, "stackName" | "stackId"> & { readonly nameSalt?: string };

/**
 * A name like those that CloudFormation makes up: `<stack>-<logical id>-<suffix>`. The suffix comes
 * of the stack's id, which is random, so that a stack that is started again finds its names. Where
 * the name would be too long, the stack's is cut to half of the room, and then the logical id.
 */
export function physicalName(
  { stackName, stackId, nameSalt = "" }: NamedStack,
  logicalId: string,
  { lengthMax = 255, ending = "" }: PhysicalNameOptions = {},
): string {
  const digest = createHash("sha256").update(`${stackId} ${logicalId}${nameSalt}`).digest();
  const suffix = [...digest.subarray(0, SUFFIX_LENGTH)].map(
    (byte) => ALPHABET[byte % ALPHABET.length],
  );
  const room = lengthMax - SUFFIX_LENGTH - ending.length - 2;
  const stack = stackName.slice(0, Math.max(Math.floor(room / 2), room - logicalId.length));
  return `${stack}-${logicalId.slice(0, room - stack.length)}-${suffix.join("")}${ending}`;
}
