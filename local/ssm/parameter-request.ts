import * as v from "valibot";
import { ServiceError } from "../http/aws-json.ts";

/** Bytes of a value by tier, names and pages of one request.
 *  https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html */
const VALUE_BYTES = { Standard: 4096, Advanced: 8192 } as const;
const NAMES_MAX = 10;
const PAGE_MAX = 10;

const NAME = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(1011),
  v.regex(/^[a-zA-Z0-9_./-]+$/, "Only letters, digits and the symbols .-_/ are allowed"),
  v.check(
    (name) => !name.includes("/") || name.startsWith("/"),
    "Parameter name must be a fully qualified name.",
  ),
  v.check((name) => !/^\/?(aws|ssm)/i.test(name), "No access to reserved parameter name"),
);

export const putSchema = v.pipe(
  v.object({
    Name: NAME,
    Value: v.pipe(v.string(), v.minLength(1)),
    Type: v.optional(v.picklist(["String", "StringList", "SecureString"])),
    Overwrite: v.optional(v.boolean(), false),
    Tier: v.optional(v.picklist(["Standard", "Advanced", "Intelligent-Tiering"]), "Standard"),
  }),
  v.check(
    ({ Value, Tier }) => Buffer.byteLength(Value) <= valueBytesMax(Tier),
    "The value has more bytes than the tier allows: 4096 of Standard, 8192 of Advanced",
  ),
);

export const nameSchema = v.object({ Name: v.pipe(v.string(), v.minLength(1)) });

export const namesSchema = v.object({
  Names: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(NAMES_MAX)),
});

export const pathSchema = v.object({
  Path: v.pipe(v.string(), v.startsWith("/", "The path must begin with a slash")),
  Recursive: v.optional(v.boolean(), false),
  MaxResults: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(PAGE_MAX)),
    PAGE_MAX,
  ),
  NextToken: v.optional(v.string()),
});

/** @throws ServiceError ValidationException that names the first field that is wrong. */
export function readRequest<T>(schema: v.GenericSchema<unknown, T>, input: unknown): T {
  const result = v.safeParse(schema, input);
  if (result.success) return result.output;
  const issue = result.issues[0];
  throw new ServiceError(
    "ValidationException",
    `${v.getDotPath(issue) ?? "request"}: ${issue.message}`,
  );
}

function valueBytesMax(tier: "Standard" | "Advanced" | "Intelligent-Tiering"): number {
  return tier === "Standard" ? VALUE_BYTES.Standard : VALUE_BYTES.Advanced;
}
