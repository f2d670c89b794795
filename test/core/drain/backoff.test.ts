import { expect, it } from "vitest";
import { backoffSeconds } from "../../../lambdas/core/drain/backoff.ts";

const SETTINGS = { backoffBaseSeconds: 2, backoffCapSeconds: 60 };

it.each([
  { attempts: 1, random: 0, seconds: 2, why: "the base after the first attempt" },
  { attempts: 2, random: 0, seconds: 4, why: "twice as long after each further one" },
  { attempts: 5, random: 0, seconds: 32, why: "and so on" },
  { attempts: 6, random: 0, seconds: 60, why: "up to the cap" },
  { attempts: 2000, random: 0, seconds: 60, why: "however many there were" },
  { attempts: 5, random: 0.5, seconds: 24, why: "less a random part" },
  { attempts: 5, random: 0.999_999, seconds: 17, why: "of one half at most, in whole seconds" },
  { attempts: 1, random: 0.999_999, seconds: 2, why: "rounded up, so that it is never nothing" },
])("waits $seconds s after attempt $attempts at random $random: $why", (given) => {
  const { attempts, random, seconds } = given;
  expect(backoffSeconds(attempts, SETTINGS, () => random)).toBe(seconds);
});
