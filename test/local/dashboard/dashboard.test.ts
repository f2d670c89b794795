import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import { App } from "aws-cdk-lib";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { appSettingsOf } from "../../../infra/app-settings.ts";
import { BacklogStack } from "../../../infra/backlog-stack.ts";
import { Publisher } from "../../../lambdas/aws/publisher/publisher.ts";
import { type Cloud, startCloud } from "../../../local/cloud.ts";
import { startDashboard } from "../../../local/dashboard/server.ts";
import { readAssembly } from "../../../local/deploy/assembly.ts";
import { type Deployed, deploy } from "../../../local/deploy/deploy.ts";
import type { LocalServer } from "../../../local/http/server.ts";

const BROWSER = "/usr/bin/chromium";
const PARTITIONS = 16;

/** The row of the one letter's reason. */
const LETTER = /<td>1<\/td><td>1<\/td><td>[^<]*is poison<\/td>/;

let folder: string;
let cloud: Cloud;
let stack: Deployed;
let dashboard: LocalServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dashboard-"));
  const cdkJson = readFileSync(new URL("../../../cdk.json", import.meta.url), "utf8");
  const { context } = JSON.parse(cdkJson) as { readonly context: Record<string, unknown> };
  const app = new App({ context, outdir: join(folder, "cdk.out") });
  new BacklogStack(
    app,
    appSettingsOf({
      ...{ name: "live", partitions: PARTITIONS, handler: "test/cases/witness-handler.ts" },
      ...{ maxAttempts: 2, backoffBaseSeconds: 0, backoffCapSeconds: 0 },
    }),
  );
  cloud = await startCloud({ divisor: 60 });
  stack = await deploy({ ...readAssembly(app.synth().directory), cloud });
  dashboard = await startDashboard(cloud, stack);

  const client = new SQSClient({
    region: cloud.region,
    endpoint: cloud.sqs.url,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const queueUrl = stack.outputs["SourceQueueUrl"] ?? "";
  await new Publisher({ client, queueUrl, partitions: PARTITIONS }).publish([
    { id: "fine", key: "player-1", payload: "paid" },
    { id: "<b>grant</b>", key: "player-2", payload: "poison" },
  ]);
  client.destroy();
  await vi.waitUntil(async () => LETTER.test(await pageText()), {
    timeout: 30_000,
    interval: 300,
  });
}, 120_000);

afterAll(async () => {
  await dashboard?.close();
  stack?.stop();
  await cloud?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("draws every graph of the synthesized dashboard, with the policy's lines", async () => {
  const page = await pageText();
  for (const title of ["Waiting records", "Age of the oldest record", "Dead letters, and"]) {
    expect(page).toContain(`<figcaption>${title}`);
  }
  expect(page.match(/<svg/g)).toHaveLength(9);
  expect(page).toContain("<li>pages: 600</li>");
  expect(page).toContain("<h1>backlogorder-live</h1>");
  expect(page).toMatch(/backlogorder-live-page: (OK|INSUFFICIENT_DATA)/);
});

test("shows the letter by its reason, as text whatever is in it", async () => {
  const page = await pageText();
  expect(page).toMatch(LETTER);
  expect(page).not.toContain("<b>grant</b>");
});

test("a page of elsewhere cannot press the buttons", async () => {
  const answer = await fetch(`${dashboard.url}/call`, {
    method: "POST",
    headers: { origin: "http://elsewhere.example" },
    body: "event={}",
  });
  expect(answer.status).toBe(403);
});

test.runIf(existsSync(BROWSER))(
  "in a browser: plans at once, asks before it replays, and the letter is tried again",
  async () => {
    const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      await page.goto(dashboard.url);
      await page.screenshot({ path: join(folder, "dashboard.png"), fullPage: true });
      await page.getByRole("button", { name: "Plan a replay" }).click();
      const plan = await page.locator("pre").textContent();
      expect(plan).toContain("grant");

      await page.goto(dashboard.url);
      const questions: string[] = [];
      page.once("dialog", (dialog) => {
        questions.push(dialog.message());
        void dialog.accept();
      });
      await page.getByRole("button", { name: "Replay all" }).click();
      const result = await page.locator("pre").textContent();
      expect(questions).toEqual([expect.stringContaining("Send about 1 dead letters of live")]);
      expect(result).toMatch(/"failed": [\s\S]*is poison/);
    } finally {
      await browser.close();
    }
  },
  60_000,
);

async function pageText(): Promise<string> {
  return (await fetch(dashboard.url)).text();
}
