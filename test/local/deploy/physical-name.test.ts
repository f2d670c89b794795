import { expect, test } from "vitest";
import { physicalName } from "../../../local/deploy/physical-name.ts";

test("a name tells the stack and the logical id, and is not given twice", () => {
  const name = physicalName("Game", "Source", { ending: ".fifo" });
  expect(name).toMatch(/^Game-Source-[A-Z0-9]{12}\.fifo$/);
  expect(physicalName("Game", "Source", { ending: ".fifo" })).not.toBe(name);
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
  const name = physicalName(stack, id, { lengthMax: 64 });
  expect(name.slice(0, start.length)).toBe(start);
  expect(name).toHaveLength(64);
});
