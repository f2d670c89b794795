import { type Html, html } from "./html.ts";
import type { WidgetView } from "./widget-view.ts";

/** ARN of the function that plans and does replays: the viewer's own rights decide who may call it. */
type Operators = { readonly replayArn: string };

/**
 * The widget as CloudWatch shows it: who is blocked, the letters by reason, and two buttons that call
 * the replay function with the viewer's rights. There is no script in it, as CloudWatch allows none.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/add_custom_widget_dashboard_interactivity.html
 */
export function widgetPage(view: WidgetView, operators: Operators): string {
  return html`<h2>Who is blocked</h2>${blocked(view)}<h2>Dead letters</h2>${letters(view)}${
    view.queued + view.listed > 0 ? buttons(view, operators) : html``
  }`.text;
}

function blocked({ blocked: rows, blockedOmitted }: WidgetView): Html {
  if (rows.length === 0) return html`<p>Nobody: no record waits for another attempt.</p>`;
  const lines = rows.map(
    ({ partition, key, id, attempts, ageSeconds, reason }) =>
      html`<tr><td>${partition}</td><td>${key}</td><td>${id}</td><td>${attempts}</td><td>${ageSeconds} s</td><td>${reason}</td></tr>`,
  );
  return html`<table><tr><th>Partition</th><th>Key</th><th>Record</th><th>Attempts</th><th>Age</th><th>Reason</th></tr>${lines}</table>${omitted(blockedOmitted)}`;
}

function letters(view: WidgetView): Html {
  const { reasons, reasonsOmitted, listed, queued } = view;
  const moved = Math.max(0, queued - listed);
  const aside = leftAlone(view);
  if (listed + moved === 0) return html`<p>None.</p>${aside}`;
  const lines = reasons.map(
    (row) => html`<tr><td>${row.letters}</td><td>${row.keys}</td><td>${row.fingerprint}</td></tr>`,
  );
  const table = html`<table><tr><th>Letters</th><th>Keys</th><th>Reason</th></tr>${lines}</table>${omitted(reasonsOmitted)}`;
  const more = html`<p>${moved} more in the queue that the ledger does not list.</p>`;
  return html`${listed > 0 ? table : html``}${moved > 0 ? more : html``}${aside}`;
}

function leftAlone({ withheld, expired }: WidgetView): Html {
  const it = expired === 1 ? "it" : "them";
  const kept = html`<p>${withheld} discarded or being edited: a replay leaves them where they are.</p>`;
  const gone = html`<p>${expired} expired: SQS has deleted ${it}, and no replay finds ${it}.</p>`;
  return html`${withheld > 0 ? kept : html``}${expired > 0 ? gone : html``}`;
}

function omitted(count: number): Html {
  return count > 0 ? html`<p>and ${count} more</p>` : html``;
}

function buttons({ backlog, queued, listed }: WidgetView, { replayArn }: Operators): Html {
  const count = Math.max(queued, listed);
  const question = `Send about ${count} dead letters of ${backlog} back to its queue? Each is tried once more, in order; one that fails is a letter again. The run goes on when this window is closed.`;
  const plan = JSON.stringify({ dryRun: true });
  const replay = JSON.stringify({
    requestedBy: "CloudWatch dashboard",
    why: "replayed by the button of the dashboard",
  });
  return html`<p><a class="btn">Plan a replay</a><cwdb-action action="call" display="popup" endpoint="${replayArn}">${plan}</cwdb-action> <a class="btn btn-primary">Replay all</a><cwdb-action action="call" display="popup" confirmation="${question}" endpoint="${replayArn}">${replay}</cwdb-action></p>`;
}
