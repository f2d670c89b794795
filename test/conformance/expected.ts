/** Differences of one kind, by the titles of what was asked. */
export type Expected = {
  readonly why: string;
  readonly titles: readonly string[];
  /** True = it depends on timing, and may not be seen. */
  readonly sometimes?: boolean;
};

/** Where ministack is known to differ from AWS. What is not listed here fails the run. */
export const EXPECTED: readonly Expected[] = [
  {
    why: "it goes round the groups within one receive; AWS promises nothing between groups",
    titles: ["fills a receive from one group before the next"],
  },
  {
    why: "it holds a group behind any message in flight, AWS behind older ones only",
    titles: [
      "gives a head that was given back alone while later ones are in flight",
      "gives an expired head alone while its follower's visibility is extended",
    ],
  },
  {
    why: "it ignores the attempt id of a receive",
    titles: ["gives the same messages to a receive that is repeated under its attempt id"],
  },
  {
    why: "it takes a receipt that has run out until its message is received again",
    titles: [
      "refuses a deletion by an expired receipt",
      "refuses to change a visibility that has run out",
    ],
  },
  {
    why: "it forgets the receipts of deleted messages",
    titles: ["deletes twice by one receipt without a complaint"],
  },
  {
    why: "it hands a message to a receive whose caller has gone; it comes back when its visibility ends",
    titles: ["gives nothing to a receive whose caller has gone"],
    sometimes: true,
  },
  {
    why: "it leaves a letter its de-duplication id, where AWS documents the MessageId",
    titles: ["gives a letter its MessageId for a de-duplication id"],
  },
  {
    why: "it does not look at ids, attributes and sizes as closely",
    titles: [
      "refuses a message with a group of 129 characters",
      "refuses a message with a space in the group",
      "refuses a message with an id of 129 characters",
      "refuses a message with a space in the id",
      "refuses a message with attributes that make it larger than the queue's own limit",

      "refuses eleven attributes",
      "refuses an empty attribute",
    ],
  },
  {
    why: "it refuses the entry without a group alone and sends the rest",
    titles: ["refuses a batch with an entry without a group, whole"],
  },
  {
    why: "it takes times out of range",
    titles: [
      "refuses to hide for more than twelve hours",
      "refuses to wait for more than twenty seconds",
    ],
  },
  {
    why: "it does not look at names and attributes of queues as closely",
    titles: [
      "refuses a limit per group where ids are known queue-wide",
      "refuses a name that says FIFO for a queue that is none",
      "refuses a name of other characters",
      "refuses an attribute that it does not know",
      "refuses to tell an attribute that it does not know",
    ],
  },
  {
    why: "it takes any queue for letters, and names the error of a policy that is no JSON otherwise",
    titles: [
      "refuses a standard queue for the letters of a FIFO queue",
      "refuses a source that the dead-letter queue does not allow",
      "refuses a redrive policy that is no JSON",
    ],
  },
  {
    why: "it allows at once what AWS allows after a minute",
    titles: [
      "empties a queue, and refuses to do so twice within a minute",
      "refuses a name again within a minute of its deletion",
    ],
  },
  {
    why: "it has no ListDeadLetterSourceQueues",
    titles: ["lists the queues that send letters to one"],
  },
  {
    why: "it has no move tasks",
    titles: [
      "moves letters back to their source in order",
      "moves letters to another queue where one is named",
      "stops moving when a task is cancelled",
      "refuses to move from a queue that holds nobody's letters",
      "refuses to move from a queue that does not exist",
    ],
  },
];
