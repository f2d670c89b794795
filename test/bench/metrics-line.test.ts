import { expect, it } from "vitest";
import { backlogorderConsumer } from "../../bench/contenders/backlogorder.ts";
import { batchOf } from "../../bench/contenders/batch.ts";
import { handle } from "../../bench/contenders/no-op-handler.ts";
import { silentObserver } from "../../bench/cpu/silent-observer.ts";
import { stubClient } from "../../bench/measure/stub-dynamodb.ts";
import { METRICS_LINE_BYTES } from "../../cli/capacity/record-cost.ts";

it("a full batch's metrics line is within a tenth of what its price is taken from", async () => {
  const { report, flush } = silentObserver();
  const client = stubClient();
  await backlogorderConsumer({ client, handle, report })(batchOf({ groups: 1, name: "line" }));
  const bytes = flush();
  expect(bytes / METRICS_LINE_BYTES).toBeGreaterThan(0.9);
  expect(bytes / METRICS_LINE_BYTES).toBeLessThan(1.1);
});
