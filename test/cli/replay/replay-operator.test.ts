import { BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import { describe, expect, it, vi } from "vitest";
import { openClients } from "../../../cli/clients.ts";
import type { Interaction } from "../../../cli/replay/interaction.ts";
import { replayRun } from "../../../cli/replay/replay-run.ts";
import { NOW } from "../letters/letters.ts";
import { dynamoDb } from "../stage.ts";
import { plannedLetter, planOf, resultOf, setLease, setReplay, WHO } from "./replay-stage.ts";

/** An operator at a terminal who answers so, and whose Ctrl-C is `interrupt`. */
function operator(answer: boolean) {
  const seen = { asked: [] as string[], bar: [] as number[], ended: 0 };
  const listeners = new Set<() => void>();
  const interaction: Interaction = {
    present: true,
    async confirm(question) {
      seen.asked.push(question);
      return answer;
    },
    progress: () => ({
      set: (done) => void seen.bar.push(done),
      end: () => {
        seen.ended += 1;
      },
    }),
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const interrupt = () => {
    for (const listener of [...listeners]) listener();
    return listeners.size;
  };
  return { interaction, seen, interrupt };
}

async function runAs(interaction: Interaction, options: object = {}) {
  const lines: string[] = [];
  const terminal = {
    write: (text: string) => void lines.push(text),
    width: undefined,
    paint: (_: string, text: string) => text,
  };
  const session = {
    clients: openClients(),
    terminal,
    errors: terminal,
    nowMs: NOW,
    json: false,
  };
  const given = { all: true, why: "mended", stopAfterFailures: 1, ...options };
  const exitCode = await replayRun("grants", given, session, interaction);
  return { exitCode, out: lines.join("\n") };
}

describe("replay run at a terminal", () => {
  const plan = planOf([plannedLetter(), plannedLetter({ id: "b" })]);

  it("asks once the plan was shown, and sends nothing without a yes", async () => {
    const requests = setReplay({ plan });
    const { interaction, seen } = operator(false);
    await expect(runAs(interaction)).rejects.toMatchObject({
      name: "CommandError",
      code: "not-confirmed",
    });
    expect(seen.asked).toEqual(["Replay 2 letters?"]);
    expect(requests.map(({ operation }) => operation)).toEqual(["plan"]);
  });

  it("asks nothing with --yes, and shows how far it is", async () => {
    setReplay({ plan, replay: resultOf({ replayed: 2 }) });
    const { interaction, seen } = operator(false);
    expect((await runAs(interaction, { yes: true })).exitCode).toBe(0);
    expect(seen).toEqual({ asked: [], bar: [2], ended: 1 });
  });

  it("on Ctrl-C cancels its own run, waits for its answer and reports", async () => {
    const { interaction, interrupt } = operator(true);
    const answered = Promise.withResolvers<unknown>();
    const requests = setReplay({
      plan,
      replay() {
        // A second Ctrl-C finds no listener, so that it ends the command as usual.
        expect(interrupt()).toBe(0);
        setLease({ who: WHO });
        return answered.promise;
      },
      cancel() {
        answered.resolve(resultOf({ replayed: 1, cancelled: true, truncated: true }));
        return { runId: "run-1", cancelled: true };
      },
    });
    const { exitCode, out } = await runAs(interaction);
    expect(exitCode).toBe(2);
    expect(out).toContain("Cancelling: no further letter is sent");
    expect(out).toContain("CANCELLED 1 of 2 letters were applied, then the run was cancelled");
    expect(requests.map(({ operation }) => operation)).toEqual(["plan", "replay", "cancel"]);
  });

  it("on Ctrl-C does not cancel the run of somebody else", async () => {
    const { interaction, interrupt } = operator(true);
    const requests = setReplay({
      plan,
      async replay() {
        interrupt();
        await vi.waitUntil(() => dynamoDb.commandCalls(BatchGetItemCommand).length > 1);
        return resultOf({ replayed: 1, truncated: true });
      },
    });
    setLease({ who: "arn:aws:iam::123456789012:user/sam" });
    const { exitCode } = await runAs(interaction);
    expect(exitCode).toBe(1);
    expect(requests.map(({ operation }) => operation)).not.toContain("cancel");
    expect(requests.filter(({ operation }) => operation === "replay")).toHaveLength(1);
  });
});
