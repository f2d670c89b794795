import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { partitionOf } from "../../lambdas/core/partition.ts";
import { PARTITIONS, type RightsStage, startRightsStage } from "./recorded-rights-stage.ts";

/** Rights that are needed and that no request of a function shows here. */
const NOT_SHOWN: readonly {
  readonly why: string;
  /** Of one function; else of all. */
  readonly of?: string;
  readonly right: RegExp;
}[] = [
  { why: "Lambda itself writes a function's log", right: /^logs:(CreateLogStream|PutLogEvents) / },
  { why: "Lambda's own daemon sends the traces", right: /^xray:Put(Telemetry|Trace)\w+ / },
  {
    why: "Lambda polls the source for the mapping, with the consumer's role",
    of: "Consumer",
    right: /^sqs:(ReceiveMessage|DeleteMessage|GetQueueAttributes) .*Source/,
  },
  {
    why: "a game's handler and effects may use any item of its tables; this one gets and updates",
    of: "Consumer",
    right: /^dynamodb:(BatchGet|ConditionCheck|Delete|Put)Item .*Wallet|^dynamodb:Query .*Wallet/,
  },
];

const FUNCTIONS = [
  ...["Consumer", "DashboardWidget", "DrainGate", "Lock", "Payload", "Replay", "Snapshot"],
] as const;

const CREDIT = '{"type":"credit","amount":5}';

const why = "to see which rights it takes";

let stage: RightsStage;

beforeAll(async () => {
  stage = await startRightsStage();
}, 60_000);

afterAll(() => stage?.close(), 30_000);

/** In order, as each needs what those before it have left. */
describe("a backlog on this machine", { timeout: 30_000 }, () => {
  test("has the functions that are looked at", () => {
    expect(stage.functions.toSorted()).toEqual(FUNCTIONS);
  });

  test("drains a plain record, one with effects, one that fails twice, one behind it, and junk", async () => {
    const junk = (id: string) => ({ id, key: `player:${id}`, payload: "junk" });
    await stage.publish([
      { id: "plain", key: "player:1", payload: "plain" },
      { id: "credit", key: "player:2", payload: CREDIT },
      { id: "purchase", key: "player:3", payload: '{"type":"purchase","item":"phoenix"}' },
      { id: "behind", key: "player:3", payload: "plain" },
      ...["edited", "purged", "kept"].map(junk),
    ]);
    await stage.drained();
    const { selected } = await stage.invoke("Replay", { operation: "replay", dryRun: true });
    expect(selected.letters.map(({ id }: { id: string }) => id).toSorted()).toEqual([
      "edited",
      "kept",
      "purchase",
      "purged",
    ]);
  });

  test("is looked at while a letter is discarded", async () => {
    const discarded = await stage.invoke("Replay", {
      ...{ operation: "discard", ids: ["kept", "purged"], why },
    });
    expect(discarded.discarded.toSorted()).toEqual(["kept", "purged"]);
    expect(await stage.invoke("Snapshot")).toBeNull();
    expect(await stage.invoke("DashboardWidget")).toContain("2 discarded");
    const partition = partitionOf("player:3", PARTITIONS);
    const whole = await stage.invoke("Replay", {
      ...{ operation: "discard", filter: { partition, key: "player:3" }, why },
    });
    expect(whole).toMatchObject({ discarded: ["purchase"] });
    const ids = ["kept", "purchase"];
    const { restored } = await stage.invoke("Replay", { operation: "restore", ids });
    expect(restored.toSorted()).toEqual(ids);
  });

  test("shows a payload, edits it, and purges another", async () => {
    const payload = (operation: string, more: object) =>
      stage.invoke("Payload", { operation, why, ...more });
    expect(await payload("show", { id: "edited" })).toMatchObject({ payload: "junk" });
    const edited = await payload("edit", { id: "edited", payload: CREDIT });
    expect(edited).toMatchObject({ changed: true });
    expect(await payload("purge", { id: "purged" })).toMatchObject({ removed: 1 });
  });

  test("renews letters, plans a replay, and plays one back", async () => {
    const replay = (operation: string, more: object = {}) =>
      stage.invoke("Replay", { operation, ...more });
    const renewed = await replay("renew", { expiringWithinSeconds: 30 * 86_400 });
    expect(renewed.renewed.toSorted()).toEqual(["edited", "kept", "purchase"]);
    const planned = await replay("plan");
    expect(planned.planId).toMatch(/^plan-/);
    const replayed = await replay("replay", { filter: { ids: ["edited", "kept"] } });
    expect(replayed).toMatchObject({ replayed: 1, failed: [{ id: "kept" }], errors: [] });
    expect(await replay("replay-status")).toEqual({ lease: null });
    expect(await replay("cancel", { runId: "another" })).toMatchObject({ cancelled: false });
  });

  test("pauses and resumes its mapping", async () => {
    expect(await stage.invoke("Replay", { operation: "pause", why })).toMatchObject({
      state: "Disabling",
    });
    expect(await stage.invoke("Replay", { operation: "resume", why })).toMatchObject({
      state: "Enabling",
    });
  });
});

describe("what was asked for meanwhile", () => {
  test.each(FUNCTIONS)("%s used each right of its role, on its resource, and no other", (name) => {
    const shown = stage.granted(name).filter((right) => !isNotShown(name, right));
    expect(stage.recorded(name)).toEqual(shown);
    expect(shown.length).toBeGreaterThan(0);
  });

  test.each(NOT_SHOWN)("a role holds what cannot be shown: $why", ({ of, right }) => {
    const names = of === undefined ? FUNCTIONS : [of];
    for (const name of names) {
      expect(stage.granted(name).filter((granted) => right.test(granted))).not.toEqual([]);
    }
  });
});

function isNotShown(name: string, granted: string): boolean {
  return NOT_SHOWN.some(({ of = name, right }) => of === name && right.test(granted));
}
