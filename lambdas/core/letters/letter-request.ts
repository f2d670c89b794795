import * as v from "valibot";
import { RECORD_ID_CHARACTERS } from "../limits.ts";
import {
  parseReplayRequest,
  type ReplayRequest,
  ReplayRequestError,
  type RequestBounds,
} from "../replay/replay-request.ts";

/** The fields of a request, its operation aside, as they came from outside. */
export type Fields = Readonly<Record<string, unknown>>;

/** Who asks, why, and where it is written down. */
export type Asked = {
  readonly requestedBy: string | undefined;
  readonly why: string | undefined;
  readonly ticket: string | undefined;
};

/** Characters of the texts that are kept on record. */
const TEXT_CHARACTERS = 1000;

const TEXT = v.optional(
  v.pipe(v.string(), v.maxLength(TEXT_CHARACTERS, `at most ${TEXT_CHARACTERS} characters`)),
);

const ID = v.pipe(v.string(), v.minLength(1), v.maxLength(RECORD_ID_CHARACTERS));

const ASKED = { requestedBy: TEXT, why: TEXT, ticket: TEXT };

/** Ids of one request. */
const IDS_PER_REQUEST = 1000;

const DAY_SECONDS = 86_400;

/** Letters within this of their end are renewed unless the request says otherwise: twice what the
 *  alarm pages at. */
const EXPIRING_WITHIN_SECONDS = 8 * DAY_SECONDS;

/**
 * Reads a request that chooses letters as a replay does.
 * @throws ReplayRequestError naming what breaks a rule; `why` is needed where `needsWhy`.
 */
export function parseSelection(
  fields: Fields,
  bounds: RequestBounds,
  needsWhy = true,
): Pick<ReplayRequest, "filter" | "limit"> & Asked {
  const { ids, filter, limit, ...asked } = fields;
  const chosen = ids === undefined ? filter : { ...(filter as object | undefined), ids };
  const { filter: read, limit: most } = parseReplayRequest({ filter: chosen, limit }, bounds);
  return { ...parseAsked(asked, needsWhy), filter: read, limit: most };
}

/** As {@link parseSelection}, with how near its end a letter has to be. */
export function parseRenewal(
  { expiringWithinSeconds = EXPIRING_WITHIN_SECONDS, ...fields }: Fields,
  bounds: RequestBounds,
): ReturnType<typeof parseSelection> & { readonly expiringWithinSeconds: number } {
  const seconds = v.safeParse(v.pipe(v.number(), v.minValue(0)), expiringWithinSeconds);
  if (!seconds.success) {
    throw refusal(
      `Expected \`expiringWithinSeconds\` to be a number from 0 and up, got ${shown(expiringWithinSeconds)}`,
    );
  }
  return { ...parseSelection(fields, bounds, false), expiringWithinSeconds: seconds.output };
}

/** A request that names its letters. @throws ReplayRequestError as above. */
export function parseIds(fields: Fields): Asked & { readonly ids: readonly string[] } {
  const ids = v.pipe(v.array(ID), v.minLength(1), v.maxLength(IDS_PER_REQUEST));
  return read(v.strictObject({ ...ASKED, ids }), fields, false);
}

/** A request on one letter. @throws ReplayRequestError as above. */
export function parseId(fields: Fields, needsWhy: boolean): Asked & { readonly id: string } {
  return read(v.strictObject({ ...ASKED, id: ID }), fields, needsWhy);
}

/** A new payload for one letter, as text or in base64. @throws ReplayRequestError as above. */
export function parseEdit(
  fields: Fields,
): Asked & { readonly id: string; readonly payload: string | Uint8Array } {
  const schema = v.strictObject({
    ...ASKED,
    id: ID,
    payload: v.optional(v.string()),
    payloadBase64: v.optional(v.pipe(v.string(), v.base64())),
  });
  const { payload, payloadBase64, ...rest } = read(schema, fields, true);
  if ((payload === undefined) === (payloadBase64 === undefined)) {
    throw refusal("Expected one of `payload` and `payloadBase64`");
  }
  if (payload?.isWellFormed() === false) {
    throw refusal("Expected `payload` without lone surrogates; give bytes as `payloadBase64`");
  }
  return {
    ...rest,
    payload: payload ?? new Uint8Array(Buffer.from(payloadBase64 ?? "", "base64")),
  };
}

/** A request of nothing but who and why. @throws ReplayRequestError as above. */
export function parseAsked(fields: Fields, needsWhy: boolean): Asked {
  return read(v.strictObject(ASKED), fields, needsWhy);
}

function read<T extends { readonly why?: string | undefined }>(
  schema: v.GenericSchema<unknown, T>,
  fields: Fields,
  needsWhy: boolean,
): T & Asked {
  const parsed = v.safeParse(schema, fields);
  if (!parsed.success) {
    throw refusal(
      parsed.issues
        .map((issue) => `Expected \`${v.getDotPath(issue) ?? "the request"}\`: ${issue.message}`)
        .join("; "),
    );
  }
  const { why } = parsed.output;
  if (needsWhy && (why === undefined || why.trim() === "")) {
    throw refusal("Expected `why` to say why, for those who read the acts, got none");
  }
  return { requestedBy: undefined, ticket: undefined, ...parsed.output, why };
}

function refusal(rule: string): ReplayRequestError {
  return new ReplayRequestError(`Nothing was begun and nothing was touched: ${rule}.`);
}

function shown(value: unknown): string {
  return typeof value === "number" || typeof value === "string"
    ? JSON.stringify(value)
    : typeof value;
}
