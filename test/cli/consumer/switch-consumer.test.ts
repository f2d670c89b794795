import { GetEventSourceMappingCommand, InvokeCommand } from "@aws-sdk/client-lambda";
import { describe, expect, it } from "vitest";
import { openClients } from "../../../cli/clients.ts";
import { switchConsumer } from "../../../cli/consumer/switch-consumer.ts";
import { NOW } from "../letters/letters.ts";
import { OPERATIONS, setParameters } from "../parameters.ts";
import { run, ssm } from "../stage.ts";
import { LEASE, lambda, PAUSE, requests, setConsumer, WHO } from "./consumer-stage.ts";

describe("pause and resume", () => {
  it("asks the backlog's function once, with the caller and the reason, and shows the state after", async () => {
    setConsumer({ states: ["Disabled"], locks: [PAUSE] });
    const { exitCode, out } = await run("pause", "grants", "--why", "bad", "--ticket", "OPS-1");
    expect(requests()).toEqual([
      { operation: "pause", requestedBy: WHO, why: "bad", ticket: "OPS-1" },
    ]);
    expect(out).toBe(
      [
        `Consumer: paused since 2026-01-31T02:55:00Z (5m ago) by ${WHO}: catalogue is being mended (OPS-1)`,
        "Next: npx backlogorder resume grants --why '...'",
      ].join("\n"),
    );
    expect(exitCode).toBe(0);
  });

  it("waits for Lambda to carry it out", async () => {
    setConsumer({ states: ["Disabling", "Disabling", "Disabled"], locks: [PAUSE] });
    const { exitCode, waits } = await paused();
    expect(waits).toBe(2);
    expect(exitCode).toBe(0);
  });

  it("ends with 1 where Lambda has not carried it out after 15 looks", async () => {
    setConsumer({ states: ["Disabling"], locks: [PAUSE] });
    const { exitCode, out } = await paused();
    expect(lambda.commandCalls(GetEventSourceMappingCommand)).toHaveLength(15);
    expect(out).toMatch(/^Consumer: disabling, paused since .*\nNot carried out yet/);
    expect(exitCode).toBe(1);
  });

  it("says so where Lambda may not be asked for the mapping, and does not wait", async () => {
    setConsumer({ locks: [PAUSE] });
    lambda.on(GetEventSourceMappingCommand).rejects(new Error("not authorized"));
    const { exitCode, out, waits } = await paused();
    expect(waits).toBe(0);
    expect(out).toContain("whether it stands still is not known");
    expect(exitCode).toBe(1);
  });

  it("answers in JSON", async () => {
    setConsumer({ states: ["Enabled"] });
    const { out } = await run("resume", "grants", "--why", "mended", "--json");
    expect(JSON.parse(out)).toMatchObject({
      kind: "resume",
      requestedBy: WHO,
      why: "mended",
      ticket: null,
      done: true,
      consumer: { feeding: "on", mappingState: "Enabled", pause: null },
      next: "npx backlogorder status grants",
    });
  });

  it("is not asked without a reason", async () => {
    setConsumer({});
    const { exitCode, errors } = await run("pause", "grants");
    expect(errors).toContain("--why");
    expect(exitCode).toBe(3);
    expect(lambda.commandCalls(InvokeCommand)).toEqual([]);
  });
});

describe("status of a consumer", () => {
  it("shows who paused it and why, the replay that runs, and leads to resume", async () => {
    setConsumer({ states: ["Disabled"], locks: [PAUSE, LEASE] });
    const { out } = await run("status", "grants");
    expect(out).toContain(`by ${WHO}: catalogue is being mended`);
    expect(out).toContain(`Replay: run run-1 by ${WHO}, since 1m ago, its lease ends in 10m`);
    expect(out.split("\n").at(-1)).toBe("Next: npx backlogorder resume grants --why '...'");
  });

  it("says nothing of a consumer that is on, nor of a replay that is over", async () => {
    setConsumer({ locks: [{ ...LEASE, leaseExpiresAt: { N: "0" } }] });
    const { out } = await run("status", "grants");
    expect(out).not.toMatch(/Consumer|Replay/);
    const { consumer, replay } = JSON.parse((await run("status", "grants", "--json")).out);
    expect(consumer).toEqual({ feeding: "on", mappingState: "Enabled", pause: null });
    expect(replay).toBeNull();
  });

  it.each([
    { states: ["Disabled"], locks: [], text: /off, and not by `pause`/ },
    { states: ["Enabled"], locks: [PAUSE], text: /on, though it is recorded as paused/ },
    { states: ["Enabling"], locks: [], text: /Consumer: enabling/ },
  ])("tells a mapping that is $states from what was recorded", async ({ states, locks, text }) => {
    setConsumer({ states, locks });
    expect((await run("status", "grants")).out).toMatch(text);
  });

  it("leads from a generation that waits to the one before, and never past its records", async () => {
    setConsumer({ states: ["Disabled"] });
    setParameters(ssm, { "/backlogorder/grants-g2/operations": OPERATIONS });
    const waits = await run("status", "grants-g2");
    expect(waits.out).toContain("waits until `grants` is drained (docs/repartition.md), or");
    expect(waits.out).toMatch(/\nNext: npx backlogorder status grants$/);

    setConsumer({ states: ["Disabled"], locks: [PAUSE] });
    setParameters(ssm, { "/backlogorder/grants-g2/operations": OPERATIONS });
    const { out } = await run("status", "grants-g2");
    expect(out).toMatch(/\nNext: npx backlogorder resume grants-g2 --why '...'$/);
  });
});

async function paused() {
  const out: string[] = [];
  const terminal = {
    write: (text: string) => {
      out.push(text);
    },
    width: undefined,
    paint: (_: string, text: string) => text,
  };
  const session = { clients: openClients(), terminal, errors: terminal, nowMs: NOW, json: false };
  let waits = 0;
  const exitCode = await switchConsumer("pause", "grants", { why: "bad" }, session, async () => {
    waits += 1;
  });
  return { exitCode, out: out.join("\n"), waits };
}
