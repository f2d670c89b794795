import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { recordCommand } from "../../cli/record-command.ts";
import { planCommand } from "../../cli/replay-command.ts";

/** Arguments of the command as a shell hands them to `backlogorder`. */
function argumentsOf(command: string): readonly string[] {
  const [words] = command.split("npx backlogorder ").slice(1);
  const read = execFileSync("bash", ["-c", `printf '%s\\0' ${words}`]).toString();
  return read.split("\0").slice(0, -1);
}

const IDS = ["grant-1", "it's", "a\u200db", "x; touch pwned", "-x", "--json", "--"];

it.each(IDS)("a command on record `%s` names that record, and its options stay options", (id) => {
  const read = argumentsOf(recordCommand("trace", id, "--name grants"));
  const end = read.indexOf("--");
  const positionals = id.startsWith("-") ? read.slice(end + 1) : [read[1]];
  expect(positionals).toEqual([id]);
  expect(read.slice(0, id.startsWith("-") ? end : undefined)).toEqual(
    expect.arrayContaining(["trace", "--name", "grants"]),
  );
});

it.each(IDS)("a plan's command names record `%s` and no other", (id) => {
  const read = argumentsOf(planCommand({ name: "grants" }, id));
  expect(read).toEqual(["replay", "plan", "grants", "--id", id]);
});
