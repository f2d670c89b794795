import { describe, expect, it } from "vitest";
import { deadItem, MINUTE, NOW } from "../letters/letters.ts";
import { run, setBacklog } from "../stage.ts";

const HEAD = deadItem({
  id: "head",
  state: "retrying",
  attempts: 2,
  partition: 7,
  enqueuedAtMs: NOW - 4 * MINUTE,
});

describe("partitions", () => {
  it("lists blocked partitions first, the oldest first, and those with letters after them", async () => {
    setBacklog({
      waiting: 5,
      held: 2,
      open: [
        deadItem({ id: "dead-1", partition: 3, enqueuedAtMs: NOW - 60 * MINUTE }),
        deadItem({ id: "dead-2", partition: 7 }),
        HEAD,
        { ...HEAD, id: "behind", offset: "11" },
        { ...HEAD, id: "older", partition: 9, enqueuedAtMs: NOW - 6 * MINUTE },
      ],
    });
    const { exitCode, out } = await run("partitions", "grants");
    const lines = out.split("\n");
    expect(exitCode).toBe(0);
    expect(lines[0]).toBe("2 of 64 partitions blocked, 2 with dead letters");
    expect(lines[2]).toMatch(/^ +9 +0 +1 +6m +2 of 3 +older +player:1 +unknown +no funds$/);
    expect(lines[3]).toMatch(/^ +7 +1 +2 +10m +2 of 3 +head /);
    expect(lines[4]).toMatch(/^ +3 +1 +0 +1h +not blocked$/);
    expect(lines[5]).toMatch(/^Waiting in all: 5\. SQS does not count by partition/);
    expect(lines[6]).toBe("Next: npx backlogorder trace older --name grants");
  });

  it("calls nothing blocked where the source queue is empty", async () => {
    setBacklog({ waiting: 0, held: 1, open: [HEAD, deadItem({ partition: 3 })] });
    const { rows, next } = JSON.parse((await run("partitions", "grants", "--json")).out);
    expect(rows).toEqual([
      { partition: 3, retrying: 0, letters: 1, oldestAgeMs: 10 * MINUTE, head: null },
    ]);
    expect(next).toBe("npx backlogorder letters list grants --partition 3");
  });

  it("says so where there is nothing to say", async () => {
    setBacklog({ waiting: 3 });
    const { out } = await run("partitions", "grants");
    expect(out).toMatch(/^0 of 64 partitions blocked, 0 with dead letters\nWaiting in all: 3\./);
  });
});
