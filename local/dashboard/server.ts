import { CloudWatchClient, GetMetricDataCommand } from "@aws-sdk/client-cloudwatch";
import { Html, html } from "../../lambdas/core/widget/html.ts";
import type { Cloud } from "../cloud.ts";
import type { Deployed } from "../deploy/deploy.ts";
import type { DeployedResource } from "../deploy/deployed-resource.ts";
import { type Answer, type LocalServer, listen } from "../http/server.ts";
import { chart, type Series } from "./chart.ts";
import { dashboardPage, withForms } from "./dashboard-page.ts";
import { type Graph, graphsOf } from "./graphs.ts";

/** How far back the charts look, in CloudWatch's minutes. */
const MINUTES = 60;

/**
 * Serves a stack's dashboard on loopback: its graphs from the embedded CloudWatch, the states of its
 * alarms, and its widget, whose buttons call the replay function.
 * @throws RangeError where the stack has no dashboard.
 */
export async function startDashboard(
  cloud: Cloud,
  stack: Pick<Deployed, "resourcesOf">,
  options: { readonly port?: number } = {},
): Promise<LocalServer> {
  const [dashboard] = stack.resourcesOf("AWS::CloudWatch::Dashboard");
  if (dashboard === undefined) {
    throw new RangeError("Expected the stack to have a dashboard, got none. Deploy it with one");
  }
  const graphs = graphsOf(dashboard.attributes["Body"]);
  const client = new CloudWatchClient({
    region: cloud.region,
    endpoint: cloud.cloudwatch.url,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const page = async (): Promise<Answer> => {
    const toMs = Date.now();
    const fromMs = toMs - (MINUTES * 60_000) / cloud.divisor;
    const charts = await Promise.all(
      graphs.map(async ({ title, lines, ...graph }) => {
        const series = await seriesOf(client, { title, lines, ...graph }, { fromMs, toMs });
        return chart({ title, lines, series, fromMs, toMs });
      }),
    );
    const alarms = alarmStates(cloud, stack);
    const widget = new Html(withForms(String(await invoke(cloud, functionOf(stack, WIDGET), {}))));
    return page200(dashboardPage({ name: dashboard.physicalId, charts, alarms, widget }));
  };
  const server = await listen(async (request, body) => {
    if (request.method !== "POST") return page();
    // A page of elsewhere may not press our buttons.
    if (request.headers.origin !== server.url) return { ...page200("not from here"), status: 403 };
    const event: unknown = JSON.parse(new URLSearchParams(body.toString()).get("event") ?? "{}");
    const answer = JSON.stringify(await invoke(cloud, functionOf(stack, REPLAY), event), null, 2);
    return page200(html`<pre>${answer}</pre><p><a href="/">Back</a></p>`.text);
  }, options);
  return {
    ...server,
    async close(): Promise<void> {
      client.destroy();
      await server.close();
    },
  };
}

const WIDGET = /DashboardWidget[0-9A-F]{8}$/;
const REPLAY = /Replay[0-9A-F]{8}$/;

function functionOf(stack: Pick<Deployed, "resourcesOf">, logicalId: RegExp): string {
  const found = stack
    .resourcesOf("AWS::Lambda::Function")
    .find((each: DeployedResource) => logicalId.test(each.logicalId));
  return found?.physicalId ?? "";
}

async function invoke({ lambda }: Cloud, functionName: string, event: unknown): Promise<unknown> {
  return (await lambda.invoke(functionName, event)).payload;
}

function alarmStates(
  { cloudwatch }: Cloud,
  stack: Pick<Deployed, "resourcesOf">,
): readonly { readonly name: string; readonly state: string }[] {
  return ["AWS::CloudWatch::CompositeAlarm", "AWS::CloudWatch::Alarm"]
    .flatMap((type) => stack.resourcesOf(type))
    .map(({ physicalId: name }) => ({ name, state: cloudwatch.stateOf(name) ?? "unknown" }));
}

async function seriesOf(
  client: CloudWatchClient,
  { queries, right }: Graph,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<readonly Series[]> {
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      MetricDataQueries: [...queries],
      StartTime: new Date(fromMs),
      EndTime: new Date(toMs),
      ScanBy: "TimestampAscending",
    }),
  );
  return MetricDataResults.map(({ Id = "", Label = "", Timestamps = [], Values = [] }) => ({
    label: Label,
    axis: right.has(Id) ? "right" : "left",
    points: Timestamps.map((at, index) => ({ atMs: at.getTime(), value: Values[index] ?? 0 })),
  }));
}

function page200(body: string): Answer {
  return { status: 200, contentType: "text/html; charset=utf-8", body };
}
