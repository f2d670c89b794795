import { describe, expect, it } from "vitest";
import { runCommand } from "../../../cli/program.ts";

async function run(line: string) {
  const out: string[] = [];
  const errors: string[] = [];
  const terminalOf = (lines: string[]) => ({
    write: (text: string) => void lines.push(text),
    width: undefined,
    paint: (_: unknown, text: string) => text,
  });
  const code = await runCommand(line.split(" "), {
    // It asks no service.
    clients: {} as never,
    terminal: terminalOf(out),
    errors: terminalOf(errors),
    nowMs: 0,
  } as unknown as Parameters<typeof runCommand>[1]);
  return { code, out: out.join("\n"), errors: errors.join("\n") };
}

describe("capacity", () => {
  it("suggests a count with room for an even load", async () => {
    const { code, out } = await run("capacity --rate 1000/s --handler 20ms --json");
    const plan = JSON.parse(out);
    expect(code).toBe(0);
    expect(plan).toMatchObject({ version: 1, kind: "capacity", keepsUp: true });
    expect(plan.choice.worstUtilisation).toBeLessThanOrEqual(0.7);
    expect(plan.hourOutageDrainSeconds).toBeGreaterThan(0);
  });

  it("says that no count helps where one key alone asks for too much", async () => {
    const { code, out } = await run("capacity --rate 5000/s --handler 20ms --skew zipf:1.1");
    expect(code).toBe(2);
    expect(out).toContain("Cannot keep up: the busiest key alone asks for 14.8 x");
    expect(out).toMatch(/an hour's outage is drained in\s+never/u);
  });

  it("warns of a partition with little room", async () => {
    const line = "capacity --rate 500/s --handler 20ms --partitions 13";
    const { code, out } = await run(line);
    expect(code).toBe(1);
    expect(out).toContain("Narrow: the busiest of 13 partitions");
  });

  it.each([
    "--rate 1/h --handler 20ms",
    "--rate 0.05/h --handler 0ms --ledger 0ms --overhead 0ms",
    "--rate 1/min --handler 900s --skew zipf:5",
    "--rate 3/h --handler 1ms --partitions 65536 --keys 1",
    "--rate 1000000/s --handler 20ms",
    "--rate 1000000/s --handler 900s --concurrency 1 --batch 1",
  ])("gives numbers for %s", async (options) => {
    const text = await run(`capacity ${options}`);
    expect(text.code).toBeLessThan(3);
    expect(text.out).not.toMatch(/NaN|Infinity|undefined|\b0s/);
    const plan = JSON.parse((await run(`capacity ${options} --json`)).out);
    expect(plan.simulated.records).toBeGreaterThan(0);
    expect(plan.simulated.concurrencyMean).toBeLessThanOrEqual(plan.simulated.concurrencyMax);
    // With one batch at once, none may be of the busiest partition.
    const { worstAge, ...simulated } = plan.simulated;
    const figures = { ...plan, ...simulated, ...plan.dollarsPerMonth, ...plan.choice };
    const unknown = Object.keys(figures).filter((name) => figures[name] === null);
    expect(unknown).toEqual(plan.keepsUp ? [] : ["hourOutageDrainSeconds"]);
  });

  it("tells no wait of the busiest partition where no record fell into it", async () => {
    const line = "capacity --rate 1/h --handler 20ms --partitions 100000";
    expect((await run(line)).out).toMatch(
      /publish to done, busiest partition\s+not known: none of the simulated records is its/,
    );
    expect(JSON.parse((await run(`${line} --json`)).out).simulated.worstAge).toBeNull();
  });

  it("gives the same answer to the same question", async () => {
    const line = "capacity --rate 300/s --handler 5ms --skew zipf:0.9 --keys 1000 --json";
    expect((await run(line)).out).toBe((await run(line)).out);
  });

  it.each([
    "capacity --rate never --handler 20ms",
    "capacity --rate 0.01/h --handler 20ms",
    "capacity --rate 1000001/s --handler 20ms",
    `capacity --rate ${"9".repeat(400)}/s --handler 20ms`,
    "capacity --rate 5/s --handler 901s",
    `capacity --rate 5/s --handler 5ms --overhead ${"9".repeat(400)}ms`,
    "capacity --rate 5/s --handler 20",
    "capacity --rate 5/s --handler 20ms --skew zipf:x",
    "capacity --rate 5/s --handler 20ms --partitions 0",
    "capacity --handler 20ms",
  ])("refuses %s and says what it expected", async (line) => {
    const { code, errors } = await run(line);
    expect(code).toBe(3);
    expect(errors).toMatch(/Expected|required option/u);
  });
});
