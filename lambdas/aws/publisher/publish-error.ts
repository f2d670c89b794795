/** A record that SQS has. */
export type PublishedRecord = {
  /** Its place in the list given to `publish`, from 0. */
  readonly index: number;
  readonly id: string;
  readonly partition: number;
  /** SequenceNumber: decimal text of up to 39 digits, compared as an integer. */
  readonly offset: string;
  readonly messageId: string | undefined;
};

/** A record that was not published, or not for certain. */
export type UnpublishedRecord = {
  /** Its place in the list given to `publish`, from 0. */
  readonly index: number;
  /** Made by the publisher where the record brought none. */
  readonly id: string;
  readonly reason: string;
};

export type FailedRecord = UnpublishedRecord & {
  /** `unknown`: SQS may have it. Published again with the same id within five minutes of its first
   *  try, it is accepted once; later SQS takes it for a new message. */
  readonly arrived: "no" | "unknown";
};

/** What became of every record of a `publish` that did not succeed: each is in one of the lists. */
export type PublishReport = {
  readonly accepted: readonly PublishedRecord[];
  readonly failed: readonly FailedRecord[];
  /** Never sent: they stand behind a failed record in their partition, or beside a refused one. */
  readonly unsent: readonly UnpublishedRecord[];
  /** Broke a rule of the format. Where there is one, nothing of the call was sent. */
  readonly refused: readonly UnpublishedRecord[];
};

/** Not every record was published. */
export class PublishError extends Error implements PublishReport {
  override readonly name = "PublishError";
  readonly accepted: readonly PublishedRecord[];
  readonly failed: readonly FailedRecord[];
  readonly unsent: readonly UnpublishedRecord[];
  readonly refused: readonly UnpublishedRecord[];

  constructor(report: PublishReport) {
    super(textOf(report));
    this.accepted = report.accepted;
    this.failed = report.failed;
    this.unsent = report.unsent;
    this.refused = report.refused;
  }
}

function textOf({ accepted, failed, unsent, refused }: PublishReport): string {
  const all = accepted.length + failed.length + unsent.length + refused.length;
  const expected = `Expected ${all} records to be published`;
  if (refused.length > 0) {
    return `${expected}, but ${refused.length} cannot be and nothing was sent: ${listed(refused)}. Mend or leave out those and publish again`;
  }
  return `${expected}, got ${accepted.length} accepted, ${failed.length} failed, ${unsent.length} unsent. ${listed([...failed, ...unsent])}. Publish the failed and unsent again in their order, with these ids`;
}

const LISTED = 5;

function listed(records: readonly UnpublishedRecord[]): string {
  const shown = records.slice(0, LISTED).map(({ id, reason }) => `${id}: ${reason}`);
  const more = records.length - shown.length;
  return `${shown.join(". ")}${more > 0 ? `. And ${more} more, listed in the error` : ""}`;
}
