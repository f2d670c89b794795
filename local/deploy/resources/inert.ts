import { arnOf } from "../arn.ts";
import type { Created } from "../created.ts";
import { physicalName } from "../physical-name.ts";
import type { Create, ResourceRequest } from "../resource.ts";

/** A resource that does nothing here, such as a policy: nobody checks permissions. */
export function createInert({ stack, logicalId }: ResourceRequest): Created {
  return { physicalId: physicalName(stack, logicalId), attributes: {} };
}

export type InertOptions = {
  readonly service: string;
  /** What the ARN has behind the account. */
  readonly resource: (name: string) => string;
  /** Property that may hold the name. */
  readonly nameProperty: string;
  /** What `Ref` gives. @default "name" */
  readonly ref?: "name" | "arn";
  /** Attribute that holds the ARN. @default "Arn" */
  readonly arnAttribute?: string;
  /** @default 255 */
  readonly lengthMax?: number;
};

/** Creates resources that do nothing here but have a name and an ARN that others mention. */
export function inertWithArn(options: InertOptions): Create {
  const { service, resource, nameProperty, ref = "name", arnAttribute = "Arn" } = options;
  return ({ stack, logicalId, properties }) => {
    const { lengthMax = 255 } = options;
    const given = properties[nameProperty];
    const name =
      given === undefined ? physicalName(stack, logicalId, { lengthMax }) : String(given);
    const arn = arnOf(stack, service, resource(name));
    return { physicalId: ref === "arn" ? arn : name, attributes: { [arnAttribute]: arn } };
  };
}
