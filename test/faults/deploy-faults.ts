import type { Fault } from "./fault.ts";

const LOCK = ["test/lambdas/partition-lock.test.ts", "test/local/deploy/backlog-stack.test.ts"];
const WIDGET = ["test/core/widget/widget.test.ts", "test/lambdas/widget.test.ts"];
const HISTORIES = ["test/infra/alarms/alarm-histories.test.ts"];
const LEFT = ["test/infra/left-behind.test.ts"];
const UPDATES = ["test/local/deploy/update.test.ts"];
const RIGHTS = ["test/infra/permissions.test.ts"];

/** In the stack, what guards its deploys, its alarms and its dashboard. */
export const DEPLOY_FAULTS: readonly Fault[] = [
  {
    name: "the drain gate opens while letters remain",
    why: "a letter replayed later is handled beside newer records of its key",
    file: "lambdas/core/drained.ts",
    find: "  if (most === 0 && dead === 0) return undefined;",
    replace: "  if (most === 0) return undefined;",
    tests: ["test/core/drained.test.ts"],
  },
  {
    name: "the drain gate is content with one snapshot",
    why: "SQS's counts lag by a minute, and records of the old generation still wait",
    file: "lambdas/core/drained.ts",
    find: "export const SIZES_NEEDED = 2;",
    replace: "export const SIZES_NEEDED = 1;",
    tests: ["test/core/drained.test.ts"],
  },
  {
    name: "the drain gate opens where CloudWatch cannot be asked",
    why: "a generation is turned on while the one before still holds records",
    file: "lambdas/drain-gate.ts",
    find: `    return { status: "FAILED", reason };
  }`,
    replace: `    console.log(reason);
    return { status: "SUCCESS" };
  }`,
    tests: ["test/lambdas/drain-gate.test.ts"],
  },
  {
    name: "the mapping does not wait for the drain gate",
    why: "a deploy that is refused has turned the new generation on already",
    file: "infra/ordered-backlog.ts",
    find: "if (gate !== undefined) part.node.addDependency(gate.check);",
    replace:
      "if (gate !== undefined && part !== this.consumer) part.node.addDependency(gate.check);",
    tests: ["test/infra/generation.test.ts"],
  },
  {
    name: "the lock ignores the backlog's name",
    why: "a rename moves parameters and alarms away from under publishers and operators",
    file: "lambdas/aws/ledger/partition-lock-item.ts",
    find: " AND (attribute_not_exists(backlog) OR backlog = :backlog)",
    replace: "",
    tests: LOCK,
  },
  {
    name: "the lock overwrites another partition count",
    why: "keys move to other partitions while older records of theirs wait",
    file: "lambdas/aws/ledger/partition-lock-item.ts",
    find: "(attribute_not_exists(#partitions) OR #partitions = :partitions) AND ",
    replace: "",
    tests: LOCK,
  },
  {
    name: "the parameters do not wait for the lock",
    why: "publishers read another partition count although the deploy was refused",
    file: "infra/ordered-backlog.ts",
    find: "      part.node.addDependency(lock.check);",
    replace: "      if (part !== this.parameters) part.node.addDependency(lock.check);",
    tests: ["test/infra/partition-lock.test.ts"],
  },
  {
    name: "the queues do not wait for the lock",
    why: "a retention that a refused deploy lowers for a minute deletes records for good",
    file: "infra/ordered-backlog.ts",
    find: "if (props.importing === true && part instanceof Queues) continue;",
    replace: "if (part instanceof Queues) continue;",
    tests: ["test/infra/partition-lock.test.ts"],
  },
  {
    name: "the widget does not escape what a record says",
    why: "a player's name becomes markup in an operator's browser",
    file: "lambdas/core/widget/html.ts",
    find: "  return escaped(String(value));",
    replace: "  return String(value);",
    tests: WIDGET,
  },
  {
    name: "the widget leaves quotes as they are",
    why: "a value ends the attribute that it stands in",
    file: "lambdas/core/widget/html.ts",
    find: "/[&<>\"'`=\\u0000-\\u001f\\u007f]/g",
    replace: "/[&<>]/g",
    tests: WIDGET,
  },
  {
    name: "the widget counts discarded letters among those that wait",
    why: "operators look for letters that somebody has dealt with",
    file: "lambdas/core/widget/widget-view.ts",
    find: "Math.max(0, source.queued - withheld)",
    replace: "source.queued",
    tests: WIDGET,
  },
  {
    name: "the widget replays without a question",
    why: "a click that went astray sends all letters back",
    file: "lambdas/core/widget/widget-page.ts",
    find: ` confirmation="\${question}"`,
    replace: ` title="\${question}"`,
    tests: WIDGET,
  },
  {
    name: "the consumer may use every table of the account",
    why: "a handler can read and write what is not the game's",
    file: "infra/game-handler.ts",
    find: "  const resources = tables.map(({ tableArn }) => tableArn);",
    replace: '  const resources = tables.map(() => "*");',
    tests: RIGHTS,
  },
  {
    name: "the consumer may send to its own source queue",
    why: "a record could be copied behind newer ones of its key",
    file: "infra/consumer.ts",
    find: 'actions: ["sqs:SendMessage"], resources: [queues.letters.queueArn] }',
    replace:
      'actions: ["sqs:SendMessage"], resources: [queues.letters.queueArn, queues.source.queueArn] }',
    tests: RIGHTS,
  },
  {
    name: "the queues go with the stack",
    why: "a destroy deletes records that nobody has handled",
    file: "infra/queues.ts",
    find: `  enforceSSL: true,
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,`,
    replace: `  enforceSSL: true,
  removalPolicy: RemovalPolicy.DESTROY,`,
    tests: LEFT,
  },
  {
    name: "the protected ledger is to go when a first deploy fails",
    why: "DynamoDB refuses it, and the rollback itself fails",
    file: "infra/ledger-table.ts",
    find: "      removalPolicy: RemovalPolicy.RETAIN,",
    replace: "      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,",
    tests: LEFT,
  },
  {
    name: "a standstill pages after a fifth of its time",
    why: "people are woken by a pause that the policy allows",
    file: "infra/alarms/stall-alarm.ts",
    find: "stallMinutes(policy.pageAgeMs);",
    replace: "Math.ceil(stallMinutes(policy.pageAgeMs) / 5);",
    tests: HISTORIES,
  },
  {
    name: "the alarm on expiry goes off for want of snapshots",
    why: "whoever was woken sleeps on, and SQS deletes the letter",
    file: "infra/alarms/letter-alarms.ts",
    find: "missing: TreatMissingData.IGNORE",
    replace: "missing: TreatMissingData.NOT_BREACHING",
    tests: ["test/infra/alarms/alarms.test.ts"],
  },
  {
    name: "the age alarm takes SQS's age alone",
    why: "a head that is received often is left out of it, and nobody is told",
    file: "infra/alarms/backlog-metrics.ts",
    find: "MAX([FILL(queue, 0), FILL(retrying, 0)])",
    replace: "MAX([FILL(queue, 0), 0 * FILL(retrying, 0)])",
    tests: HISTORIES,
  },
  {
    name: "the age alarm looks back one minute only",
    why: "a failing head is out of sight between two tries, and pages at each of them",
    file: "infra/alarms/size-alarms.ts",
    find: "  return Math.ceil(visibilityTimeoutSeconds / 60) + 1;",
    replace: "  return Math.ceil(visibilityTimeoutSeconds / 1e9);",
    tests: HISTORIES,
  },
  {
    name: "the embedded destroy deletes what is to be retained",
    why: "nobody would see that the queues of a real stack go",
    file: "local/deploy/retention.ts",
    find: '      return DeletionPolicy !== "Delete";',
    replace: '      return DeletionPolicy === "Retain";',
    tests: UPDATES,
  },
  {
    name: "the embedded update leaves half of what failed",
    why: "a refused deploy seems to have changed things that it had not, or the reverse",
    file: "local/deploy/update-resources.ts",
    find: "    const left = await takenBack(live, update.undo);",
    replace: "    const left: readonly DeployError[] = [];",
    tests: UPDATES,
  },
];
