import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, CfnResource, Stack } from "aws-cdk-lib";
import { expect, onTestFinished, test, vi } from "vitest";
import { readAssembly } from "../../../local/deploy/assembly.ts";

vi.setConfig({ testTimeout: 30_000 });

/** Synthesizes an app with a queue in each of these stacks. */
function synthesized(...stackNames: readonly string[]): string {
  const outdir = folder();
  const app = new App({ outdir });
  for (const stackName of stackNames) {
    const stack = new Stack(app, `Stack-of-${stackName}`, { stackName });
    new CfnResource(stack, "Queue", { type: "AWS::SQS::Queue" });
  }
  app.synth();
  return outdir;
}

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "assembly-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test("an app's one stack needs no name", () => {
  const directory = synthesized("Raids");
  const { template, assetsDirectory, stackName } = readAssembly(directory);
  expect({ assetsDirectory, stackName }).toEqual({
    assetsDirectory: directory,
    stackName: "Raids",
  });
  expect(template.Resources["Queue"]?.Type).toBe("AWS::SQS::Queue");
});

test("one of several stacks is taken by its name and not without", () => {
  const directory = synthesized("Raids", "Guilds");
  expect(readAssembly(directory, "Guilds").stackName).toBe("Guilds");
  expect(() => readAssembly(directory)).toThrow(/Expected one stack .*got .*Raids/);
  expect(() => readAssembly(directory, "Nobody")).toThrow(/Expected a stack Nobody .*Guilds/);
});

test("a folder without a synthesized app says what to run", () => {
  expect(() => readAssembly(folder())).toThrow("`npx cdk synth` writes. Run it first");
});
