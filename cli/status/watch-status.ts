import { EXIT_CODES } from "../exit-code.ts";
import { explainError } from "../explain-error.ts";
import type { Session } from "../session.ts";
import { JSON_VERSION } from "../terminal/json.ts";
import { readStatus } from "./status.ts";
import { statusJson } from "./status-json.ts";
import { statusText } from "./status-text.ts";
import type { Watch, WatchScreen } from "./watch.ts";

/**
 * `status --watch`: looks again and again, on a terminal in place, elsewhere one block after another,
 * in JSON one line each. What stops one look is shown and the next one tries again, but for the
 * first: a wrong name stays wrong. Resolves to the exit code of the last look.
 * @throws what the first look throws.
 */
export async function watchStatus(name: string, session: Session, watch: Watch): Promise<number> {
  let exitCode = await look(name, session, watch);
  for (;;) {
    await watch.wait(watch.intervalMs);
    if (watch.ended()) return exitCode;
    exitCode = await look(name, session, watch).catch((error: unknown) =>
      showTrouble(error, session, watch.screen),
    );
  }
}

async function look(name: string, session: Session, { screen, nowMs }: Watch): Promise<number> {
  const report = await readStatus(name, { ...session, nowMs: nowMs() });
  screen.show(
    session.json
      ? JSON.stringify(statusJson(report), nullIfUnknown)
      : statusText(report, session.terminal),
  );
  return EXIT_CODES[report.verdict.level];
}

function showTrouble(error: unknown, { json, terminal }: Session, screen: WatchScreen): number {
  const explanation = explainError(error);
  if (explanation === undefined) throw error;
  const { code, message, remedy } = explanation;
  screen.show(
    json
      ? JSON.stringify({ version: JSON_VERSION, kind: "error", error: explanation })
      : `${terminal.paint("page", "Cannot tell")} (${code}): ${message}. To do: ${remedy}.`,
  );
  return EXIT_CODES.cannotTell;
}

function nullIfUnknown(_name: string, value: unknown): unknown {
  return value === undefined ? null : value;
}
