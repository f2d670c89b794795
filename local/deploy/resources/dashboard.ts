import * as v from "valibot";
import type { Created } from "../created.ts";
import { physicalName } from "../physical-name.ts";
import { type ResourceRequest, readProperties } from "../resource.ts";

const schema = v.object({
  DashboardName: v.optional(v.string()),
  DashboardBody: v.pipe(v.string(), v.parseJson()),
});

/** AWS::CloudWatch::Dashboard. Nobody shows it by itself; its attribute `Body` is what it shows. */
export function createDashboard(request: ResourceRequest): Created {
  const { DashboardName, DashboardBody } = readProperties(schema, request);
  const { stack, logicalId } = request;
  return {
    physicalId: DashboardName ?? physicalName(stack, logicalId),
    attributes: { Body: DashboardBody },
  };
}
