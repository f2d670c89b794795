import type { BacklogLocation } from "./backlog-location.ts";
import { shellQuote } from "./terminal/shell-quote.ts";

/** The shell command that says what a replay would do, and does nothing. */
export function dryRunCommand(
  { replay }: Pick<BacklogLocation, "replay">,
  filter: { readonly ids: readonly string[] },
): string {
  const payload = shellQuote(JSON.stringify({ dryRun: true, filter }));
  return `aws lambda invoke --function-name ${shellQuote(replay)} --cli-binary-format raw-in-base64-out --cli-read-timeout 0 --payload ${payload} /dev/stdout`;
}
