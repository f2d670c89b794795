import type { SqsAt } from "./sqs-at.ts";

/** One rule of SQS. Asked of any server that claims to be one. */
export type Case = {
  /** A sentence on behaviour, unique among all cases. */
  readonly title: string;
  /** @throws AssertionError where the server behaves otherwise. */
  readonly ask: (at: SqsAt) => Promise<void>;
};
