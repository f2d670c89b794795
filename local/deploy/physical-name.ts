import { randomInt } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const SUFFIX_LENGTH = 12;

export type PhysicalNameOptions = {
  /** The most that the service allows, with the ending. @default 255 */
  readonly lengthMax?: number;
  /** @default nothing */
  readonly ending?: string;
};

/**
 * A name like those that CloudFormation makes up: `<stack>-<logical id>-<random suffix>`. Where it
 * would be too long, the stack's name is cut to half of the room, and then the logical id.
 */
export function physicalName(
  stackName: string,
  logicalId: string,
  { lengthMax = 255, ending = "" }: PhysicalNameOptions = {},
): string {
  const suffix = Array.from({ length: SUFFIX_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  const room = lengthMax - SUFFIX_LENGTH - ending.length - 2;
  const stack = stackName.slice(0, Math.max(Math.floor(room / 2), room - logicalId.length));
  return `${stack}-${logicalId.slice(0, room - stack.length)}-${suffix.join("")}${ending}`;
}
