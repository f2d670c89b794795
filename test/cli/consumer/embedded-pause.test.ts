import { afterAll, beforeAll, expect, it } from "vitest";
import { startStage } from "../transcript-stage.ts";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
}, 60_000);

afterAll(() => stage.close());

it("pauses and resumes the consumer of a deployed stack, and status says who and why", {
  timeout: 60_000,
}, async () => {
  const paused = await stage.shell("npx backlogorder pause demo --why 'mending the catalogue'");
  expect(paused.errors).toBe("");
  expect(paused.out).toMatch(/^Consumer: paused since .* by arn:.*: mending the catalogue\n/);
  expect(paused.exitCode).toBe(0);
  const status = await stage.shell("npx backlogorder status demo");
  expect(status.out).toMatch(/^Consumer: paused since .*: mending the catalogue$/m);
  expect(status.out).toMatch(/Next: npx backlogorder resume demo --why '...'\n$/);
  const resumed = await stage.shell("npx backlogorder resume demo --why mended --json");
  expect(JSON.parse(resumed.out)).toMatchObject({
    done: true,
    consumer: { feeding: "on", mappingState: "Enabled", pause: null },
  });
  expect(resumed.exitCode).toBe(0);
  expect((await stage.shell("npx backlogorder status demo")).out).not.toContain("Consumer:");
});
