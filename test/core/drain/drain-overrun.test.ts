import { describe, expect, it } from "vitest";
import { batch, stage } from "./drain-stage.ts";

describe("a handler that overruns", () => {
  it("is a failed attempt, charged once, when it stops at its signal", async () => {
    const at = stage((_, { clock }) => clock.sleep(10_050).then(() => undefined));
    expect(await at.drain(batch(["a", "b"]))).toEqual(["m-a", "m-b"]);
    expect(at.ledger.items.get("a")).toMatchObject({
      attempts: 1,
      reason: "the handler timed out after 10 s",
    });
    expect(at.kinds()).not.toContain("abandoned");
  });

  it("stops its group even when the record dies, for it may still be writing", async () => {
    const at = stage(({ id }) => (id === "a" ? new Promise(() => {}) : undefined), {
      maxAttempts: 1,
    });
    expect(await at.drain(batch(["a", "b"]))).toEqual(["m-b"]);
    expect(at.letters).toMatchObject([{ id: "a" }]);
    expect(at.kinds()).toContain("abandoned");
    expect(at.visibility).toEqual([]);
  });
});
