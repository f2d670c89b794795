import { type Html, html } from "../../lambdas/core/widget/html.ts";

export type DashboardPage = {
  readonly name: string;
  readonly charts: readonly Html[];
  readonly alarms: readonly { readonly name: string; readonly state: string }[];
  /** What the widget's function answered. */
  readonly widget: Html;
};

/** The dashboard as a page of its own, without any script but the question before a replay. */
export function dashboardPage({ name, charts, alarms, widget }: DashboardPage): string {
  const states = alarms.map(
    (alarm) => html`<li class="${alarm.state}">${alarm.name}: ${alarm.state}</li>`,
  );
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="5"><title>${name}</title><style>${STYLE}</style></head><body><h1>${name}</h1><ul class="alarms">${states}</ul><main>${charts}</main><section>${widget}</section></body></html>`
    .text;
}

/** Written so that nothing in it needs to be escaped. */
const STYLE = html`
body{font:14px sans-serif;margin:1rem}main{display:flex;flex-wrap:wrap;gap:1rem}
figure{margin:0;width:24rem}svg{border:1px solid #ccc;width:100%}
polyline{fill:none;stroke-width:1.5}line{stroke:#e08000;stroke-dasharray:4}
ul{list-style:none;padding:0;font-size:12px}table{border-collapse:collapse}
td,th{border:1px solid #ccc;padding:.2rem .5rem;text-align:left}
.alarms{display:flex;flex-wrap:wrap;gap:.5rem}.ALARM{background:#d62728;color:#fff}.OK{background:#cfc}
form{display:inline}`;

/**
 * The widget's buttons as forms that this page's server answers, with the question that CloudWatch
 * would ask.
 */
export function withForms(widget: string): string {
  return widget.replace(BUTTON, (_whole, label: string, attributes: string, event: string) => {
    const question = /confirmation="([^"]*)"/.exec(attributes)?.[1];
    const asked =
      question === undefined
        ? ""
        : ` data-question="${question}" onsubmit="return confirm(this.dataset.question)"`;
    return `<form method="post" action="/call"${asked}><input type="hidden" name="event" value="${event}"><button>${label}</button></form>`;
  });
}

const BUTTON = /<a class="btn[^"]*">([^<]*)<\/a><cwdb-action ([^>]*)>([^<]*)<\/cwdb-action>/g;
