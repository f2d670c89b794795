import { type Answer, askCases, seenIn } from "./ask-cases.ts";
import { CASES } from "./cases.ts";
import { type DeployedGame, deployedGame } from "./deployed-game.ts";
import { deployStack } from "./deployment.ts";
import { JOURNEY } from "./journey.ts";
import type { Leg } from "./leg.ts";
import { operators } from "./operators.ts";
import { redeploys } from "./redeploys.ts";
import { sqsAt } from "./sqs-at.ts";
import type { Target } from "./target.ts";

/** Longer than any leg takes, a deploy whose refusal is waited for included. */
const LEG_SECONDS_MAX = 240;

type Say = (line: string) => void;

/**
 * Deploys, sends records through the deployment, asks the rules of SQS, deploys again, destroys.
 * @throws where the stack cannot be deployed at all.
 */
export async function conformance(target: Target, say: Say): Promise<readonly Answer[]> {
  say("deploying with the CDK");
  const deployment = await deployStack(target);
  for (const { id, type, why } of deployment.leftOut) say(`left out: ${id} (${type}), ${why}`);
  const game = await deployedGame(target.endpoint, deployment);
  say("sending records through the stack");
  const travelled = await walk([...JOURNEY, ...operators(target, deployment.name)], game, say);
  say(`asking ${CASES.length} rules of SQS`);
  const answered = await askCases(CASES, sqsAt(target.endpoint));
  say("deploying again and destroying");
  return [...travelled, ...answered, ...(await walk(redeploys(target), game, say))];
}

async function walk(
  legs: readonly Leg[],
  game: DeployedGame,
  say: Say,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const { title, ask } of legs) {
    const seen = await seenIn(ask(game), LEG_SECONDS_MAX);
    say(`  ${seen === undefined ? "as it should" : "OTHERWISE"}: ${title}`);
    answers.push({ title, seen });
  }
  return answers;
}
