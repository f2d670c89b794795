import { describe, expect, it } from "vitest";
import { createGroupTurns } from "../../../local/lambda/group-turns.ts";

describe("group turns", () => {
  it("runs work of one group one after the other, and of other groups beside it", async () => {
    const inTurn = createGroupTurns();
    const log: string[] = [];
    const first = Promise.withResolvers<void>();
    const work =
      (name: string, until = Promise.resolve()) =>
      async () => {
        log.push(`${name} begins`);
        await until;
        log.push(`${name} ends`);
      };
    const a = inTurn(new Set(["1"]), work("a", first.promise));
    const b = inTurn(new Set(["1", "2"]), work("b"));
    const c = inTurn(new Set(["2"]), work("c"));
    await inTurn(new Set(["3"]), work("d"));
    expect(log).toEqual(["a begins", "d begins", "d ends"]);
    first.resolve();
    await Promise.all([a, b, c]);
    expect(log.slice(3)).toEqual(["a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("gives the turn on after a failure", async () => {
    const inTurn = createGroupTurns();
    const failed = inTurn(new Set(["1"]), () => Promise.reject(new Error("boom")));
    const next = inTurn(new Set(["1"]), async () => "ran");
    await expect(failed).rejects.toThrow("boom");
    expect(await next).toBe("ran");
  });
});
