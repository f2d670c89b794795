import { expect, it } from "vitest";
import { generationBefore } from "../../../cli/consumer/generation-before.ts";
import { generationName } from "../../../infra/generation.ts";

it.each([2, 3, 10, 11, 100, 999])("names what generation %i was deployed beside", (generation) => {
  expect(generationBefore(generationName("live-1", generation))).toBe(
    generationName("live-1", generation - 1),
  );
});

it.each(["live", "live-g1", "live-g0", "live-g02", "live-g1000", "g2", "live-g2-eu"])(
  "knows of none before %s",
  (name) => expect(generationBefore(name)).toBeUndefined(),
);
