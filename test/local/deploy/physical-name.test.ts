import { expect, test } from "vitest";
import { physicalName } from "../../../local/deploy/physical-name.ts";

const GAME = { stackName: "Game", stackId: "stack/Game/1" };
const ending = ".fifo";

test("a name tells the stack and the logical id, and is the stack's own", () => {
  const name = physicalName(GAME, "Source", { ending });
  expect(name).toMatch(/^Game-Source-[A-Z0-9]{12}\.fifo$/);
  expect(physicalName(GAME, "Source", { ending })).toBe(name);
  expect(physicalName({ ...GAME, stackId: "stack/Game/2" }, "Source", { ending })).not.toBe(name);
});

test.each([
  { stack: "s".repeat(100), id: "Id", start: `${"s".repeat(48)}-Id-`, why: "the stack's name" },
  { stack: "S", id: "i".repeat(100), start: `S-${"i".repeat(49)}-`, why: "the logical id" },
  {
    stack: "s".repeat(100),
    id: "i".repeat(100),
    start: `${"s".repeat(25)}-${"i".repeat(25)}-`,
    why: "both",
  },
])("a long name is cut to what the service allows: $why", ({ stack, id, start }) => {
  const name = physicalName({ ...GAME, stackName: stack }, id, { lengthMax: 64 });
  expect(name.slice(0, start.length)).toBe(start);
  expect(name).toHaveLength(64);
});
