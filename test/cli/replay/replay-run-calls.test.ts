import { describe, expect, it } from "vitest";
import { NOW } from "../letters/letters.ts";
import { resultOf, setReplay } from "./replay-stage.ts";
import { PLAN, runAll } from "./run-stage.ts";

describe("replay run, of whose letters one call does not take all,", () => {
  it("calls again for what one call could not take, but for no letter that failed in it", async () => {
    const requests = setReplay({
      plan: PLAN,
      replay: [
        resultOf({ runId: "run-1", replayed: 1, truncated: true }),
        resultOf({ runId: "run-2", replayed: 2 }),
      ],
    });
    const { exitCode, out } = await runAll("--ramp", "1");
    expect(exitCode).toBe(0);
    expect(out).toContain("3 of 3 letters were applied");
    expect(out).toContain("Run run-1, run-2");
    const [, first, second] = requests;
    expect(first).toMatchObject({ plan: { digest: PLAN.digest }, ramp: [1] });
    expect(first).not.toHaveProperty("filter.failedBefore");
    expect(second).not.toHaveProperty("plan");
    expect(second).not.toHaveProperty("ramp");
    expect(second).toMatchObject({ filter: { failedBefore: NOW - 1000 } });
  });

  it("stops between two calls where their failures together reach the limit", async () => {
    const failure = (id: string) => [{ id, key: "k", reason: `no item ${id}` }];
    const requests = setReplay({
      plan: PLAN,
      replay: [
        resultOf({ failed: failure("1"), truncated: true }),
        resultOf({ failed: failure("2"), truncated: true }),
        resultOf({ replayed: 1 }),
      ],
    });
    const { exitCode, out } = await runAll("--stop-after-failures", "2");
    expect(exitCode).toBe(2);
    expect(out).toMatch(/^STOPPED 2 letters failed again with `no item <n>`/);
    expect(requests).toHaveLength(3);
  });

  it("ends where a call takes nothing though letters are left", async () => {
    const requests = setReplay({ plan: PLAN, replay: resultOf({ truncated: true }) });
    const { exitCode, out } = await runAll();
    expect(exitCode).toBe(1);
    expect(out).toContain("more letters match than could be taken now");
    expect(requests).toHaveLength(2);
  });

  it("takes no more than its limit over all calls", async () => {
    const requests = setReplay({
      plan: PLAN,
      replay: (request: { readonly limit: number }) =>
        resultOf({ replayed: Math.min(request.limit, 1000), truncated: true }),
    });
    await runAll("--limit", "2500");
    expect(requests.map(({ limit }) => limit)).toEqual([2500, 1000, 1000, 500]);
  });

  it("reports what it knows where a later call has no answer", async () => {
    setReplay({
      plan: PLAN,
      replay: [
        resultOf({ replayed: 1, truncated: true }),
        Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
      ],
    });
    const { exitCode, out } = await runAll();
    expect(exitCode).toBe(3);
    expect(out).toMatch(
      /^UNKNOWN 1 of 3 letters were applied, then no answer came \(answer-lost\)/,
    );
    expect(out.split("\n").at(-1)).toBe("Next: npx backlogorder replay status grants");
  });
});
