import { expect, test } from "vitest";
import type { LedgerItem } from "../../../lambdas/core/ledger.ts";
import { html } from "../../../lambdas/core/widget/html.ts";
import { widgetPage } from "../../../lambdas/core/widget/widget-page.ts";
import { ROWS_MAX, widgetView } from "../../../lambdas/core/widget/widget-view.ts";

const NOW_MS = Date.UTC(2026, 0, 5, 12);
const REPLAY = "arn:aws:lambda:us-east-1:123456789012:function:replay";

function itemOf(given: Partial<LedgerItem>): LedgerItem {
  return {
    id: "grant-1",
    generation: 0,
    attempts: 2,
    attemptId: "1",
    state: "retrying",
    messageId: undefined,
    reason: "catalogue has no item 7",
    offset: "1",
    key: "player-7",
    partition: 3,
    enqueuedAtMs: NOW_MS - 90_000,
    failedAtMs: NOW_MS - 30_000,
    ...given,
  };
}

const DAY_MS = 86_400_000;

function pageOf(
  open: readonly LedgerItem[],
  queued = 0,
  withheld: readonly { readonly failedAtMs: number }[] = [],
): string {
  const view = widgetView({
    ...{ backlog: "live", open, queued, withheld },
    ...{ nowMs: NOW_MS, letterRetentionMs: 14 * DAY_MS },
  });
  return widgetPage(view, { replayArn: REPLAY });
}

test("shows who is blocked, by which record, for how long and why", () => {
  expect(pageOf([itemOf({})])).toContain(
    "<tr><td>3</td><td>player-7</td><td>grant-1</td><td>2</td><td>90 s</td><td>catalogue has no item 7</td></tr>",
  );
});

test("counts the letters of one fault together, over their keys", () => {
  const dead = [7, 8, 8].map((item, index) =>
    itemOf({ id: `grant-${index}`, state: "dead", key: `player-${item}` }),
  );
  const page = pageOf(dead, 3);
  expect(page).toContain("<td>3</td><td>2</td><td>catalogue has no item &#60;n&#62;</td>");
  expect(page).toContain("Nobody: no record waits");
  expect(page).not.toContain("more in the queue");
});

test("says how many letters the ledger does not list", () => {
  expect(pageOf([itemOf({ state: "dead" })], 4)).toContain("<p>3 more in the queue");
});

test("a discarded letter is none that waits: not in the queue, not in the question", () => {
  const discarded = [{ failedAtMs: NOW_MS - DAY_MS }];
  const page = pageOf([itemOf({ state: "dead" })], 3, discarded);
  expect(page).toContain("<p>1 more in the queue");
  expect(page).toContain("<p>1 discarded or being edited: a replay leaves them");
  expect(page).toContain("Send about 2 dead letters");
});

test("has no buttons where all letters are discarded", () => {
  const page = pageOf([], 2, [{ failedAtMs: NOW_MS }, { failedAtMs: NOW_MS }]);
  expect(page).toContain("<p>None.</p><p>2 discarded");
  expect(page).not.toContain("cwdb-action");
});

test("a discarded letter that SQS has deleted since counts no more", () => {
  const page = pageOf([], 1, [{ failedAtMs: NOW_MS - 15 * DAY_MS }]);
  expect(page).toContain("<p>1 more in the queue");
  expect(page).not.toContain("discarded");
});

test("a record whose letter SQS has deleted is named as such, and is nothing to replay", () => {
  const gone = itemOf({ id: "gone", state: "dead", failedAtMs: NOW_MS - 15 * DAY_MS });
  const alone = pageOf([gone], 0);
  expect(alone).toContain("<p>None.</p><p>1 expired: SQS has deleted it, and no replay finds it.");
  expect(alone).not.toContain("cwdb-action");
  const page = pageOf([itemOf({ state: "dead" }), gone], 2);
  expect(page).toContain("<td>1</td><td>1</td><td>catalogue has no item");
  expect(page).toContain("<p>1 more in the queue");
  expect(page).toContain("Send about 2 dead letters");
});

test("asks before it replays, and plans without asking", () => {
  const page = pageOf([itemOf({ state: "dead" })], 1);
  const actions = [...page.matchAll(/<cwdb-action ([^>]*)>([^<]*)<\/cwdb-action>/g)];
  const [plan, replay] = actions.map(([, attributes = "", body = ""]) => ({
    attributes,
    event: JSON.parse(body.replaceAll("&#34;", '"')),
  }));
  expect(actions).toHaveLength(2);
  expect(plan).toEqual({
    attributes: `action="call" display="popup" endpoint="${REPLAY}"`,
    event: { dryRun: true },
  });
  expect(replay?.attributes).toContain('confirmation="Send about 1 dead letters of live back');
  expect(replay?.event).toEqual({
    requestedBy: "CloudWatch dashboard",
    why: "replayed by the button of the dashboard",
  });
});

test("has no buttons where there is nothing to replay", () => {
  expect(pageOf([])).not.toContain("cwdb-action");
});

const HOSTILE = [
  "<script>alert(1)</script>",
  '" onload="x',
  "<b>&amp;</b>",
  "a\u0000b",
  '</cwdb-action><cwdb-action action="call" endpoint="elsewhere">',
];

test.each(HOSTILE)("shows the text %j of a record as text", (text) => {
  const hostile = { key: text, id: text, reason: text };
  const page = pageOf([itemOf(hostile), itemOf({ ...hostile, state: "dead" })]);
  const markup = page.replace(/&#\d+;/g, "");
  expect(markup).not.toContain(text);
  const tags = [...markup.matchAll(/<\/?([a-z0-9-]+)/g)].map(([, tag]) => tag);
  expect(new Set(tags)).toEqual(new Set("h2 table tr th td p a cwdb-action".split(" ")));
});

test("escapes values in text and attributes, and leaves its own markup alone", () => {
  expect(html`<p title="${`a"'`}">${html`<b>${"<"}</b>`}${[html`<i>`]}</p>`.text).toBe(
    '<p title="a&#34;&#39;"><b>&#60;</b><i></p>',
  );
});

test("shows some rows and says how many more there are", () => {
  const open = Array.from({ length: ROWS_MAX + 4 }, (_, partition) => itemOf({ partition }));
  const page = pageOf(open);
  expect(page.match(/player-7/g)).toHaveLength(ROWS_MAX);
  expect(page).toContain("<p>and 4 more</p>");
});

test("a publisher's clock that is ahead makes no record younger than new", () => {
  expect(pageOf([itemOf({ enqueuedAtMs: NOW_MS + 60_000 })])).toContain("<td>0 s</td>");
});
