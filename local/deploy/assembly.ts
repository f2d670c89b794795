import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseTemplate, type Template } from "./template.ts";

/** What `cdk synth` wrote of one stack. */
export type Assembly = {
  readonly template: Template;
  /** Folder of the assets that the template names. */
  readonly assetsDirectory: string;
  readonly stackName: string;
};

/**
 * Reads a stack out of the folder that `cdk synth` wrote, `cdk.out`. Its name may be left out where
 * the app has one stack.
 * @throws Error if the folder was not synthesized or holds no such stack.
 */
export function readAssembly(directory: string, stackName?: string): Assembly {
  const stacks = stacksOf(directory);
  const wanted = stacks.filter(({ name }) => stackName === undefined || name === stackName);
  const [stack] = wanted;
  if (stack === undefined || wanted.length > 1) {
    const names = stacks.map(({ name }) => name).join(", ") || "none";
    throw new Error(
      `Expected ${stackName === undefined ? "one stack" : `a stack ${stackName}`} in ${directory}, got ${names}. Name one of them`,
    );
  }
  return {
    template: parseTemplate(readJson(join(directory, stack.templateFile))),
    assetsDirectory: directory,
    stackName: stack.name,
  };
}

const manifestSchema = v.object({
  artifacts: v.record(
    v.string(),
    v.object({
      type: v.string(),
      properties: v.optional(
        v.object({ templateFile: v.optional(v.string()), stackName: v.optional(v.string()) }),
        {},
      ),
    }),
  ),
});

function stacksOf(
  directory: string,
): readonly { readonly name: string; readonly templateFile: string }[] {
  const { artifacts } = v.parse(manifestSchema, readJson(join(directory, "manifest.json")));
  return Object.entries(artifacts).flatMap(([id, { type, properties }]) => {
    const { templateFile, stackName = id } = properties;
    return type === "aws:cloudformation:stack" && templateFile !== undefined
      ? [{ name: stackName, templateFile }]
      : [];
  });
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`Expected ${file}, which \`npx cdk synth\` writes. Run it first`, { cause });
  }
}
