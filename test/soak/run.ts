import { Command } from "commander";
import { isKept, type SoakResult, soak } from "./soak.ts";

const options = new Command("npm run test:soak --")
  .description("Kills processes of the backlog at random while records are published.")
  .option("--seconds <n>", "how long", "300")
  .option("--seed <n>", "for the same traffic and kills again", String(Date.now() % 1_000_000))
  .parse()
  .opts<{ readonly seconds: string; readonly seed: string }>();

const result = await soak({
  seconds: Number(options.seconds),
  seed: Number(options.seed),
  say: (text) => console.log(text),
});
console.log(summary(result));
if (!isKept(result)) {
  console.log(JSON.stringify(result, undefined, 1));
  process.exitCode = 1;
}

function summary(of: SoakResult): string {
  const { environment, engine, dynalite, runner } = of.kills;
  const kills = `kills ${environment + engine + dynalite + runner} (environments ${environment}, engine ${engine}, dynalite ${dynalite}, runner ${runner})`;
  const counts = (["lost", "doubled", "disorder", "innocents", "strangers", "balances"] as const)
    .map((name) => `${name} ${of[name].length}`)
    .join(", ");
  return `${kills}, records ${of.records}, dead letters ${of.deadLetters}, replays ${of.replays}, ${counts}`;
}
