import { readFileSync } from "node:fs";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { vi } from "vitest";
import { appSettingsOf } from "../../infra/app-settings.ts";
import { BacklogStack } from "../../infra/backlog-stack.ts";

// A synth takes a second, and several on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 30_000 });

export type Resource = {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template's properties have no type of ours
  readonly Properties: any;
  readonly DependsOn?: readonly string[];
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
};

const CDK_JSON: { readonly context: Readonly<Record<string, unknown>> } = JSON.parse(
  readFileSync(new URL("../../cdk.json", import.meta.url), "utf8"),
);

/** An app like the one of `cdk synth`: tests do not read cdk.json by themselves, and its flags
 *  change the template. Nothing is bundled. */
export function testApp(): App {
  return new App({ context: { ...CDK_JSON.context, "aws:cdk:bundling-stacks": [] } });
}

/** The app's template, with `given` as `cdk -c` would give it. */
export function synthesize(given: Readonly<Record<string, unknown>> = {}): Template {
  const settings = appSettingsOf({ ...CDK_JSON.context, ...given });
  return Template.fromStack(new BacklogStack(testApp(), settings));
}

/** Resources of one type by their logical id. */
export function resourcesOf(template: Template, type: string): ReadonlyMap<string, Resource> {
  return new Map(Object.entries(template.findResources(type) as Record<string, Resource>));
}

/** The one resource of a type whose logical id contains `part`. */
export function resourceOf(
  template: Template,
  type: string,
  part: string,
): Resource & { readonly id: string } {
  const found = [...resourcesOf(template, type)].filter(([id]) => id.includes(part));
  const [first] = found;
  if (first === undefined || found.length > 1) {
    throw new Error(`Expected one ${type} with ${part} in its id, got ${found.length}`);
  }
  return { ...first[1], id: first[0] };
}
