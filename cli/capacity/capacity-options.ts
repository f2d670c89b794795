import { InvalidArgumentError } from "commander";
import type { Skew } from "./load.ts";

/** `5000/s` or `300000/min`, as records a second, from one a day to a million a second.
 *  @throws InvalidArgumentError */
export function readRate(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(?:\/(s|min|h))?$/u.exec(text);
  const perSecond = Number(match?.[1]) / UNIT_SECONDS[(match?.[2] ?? "s") as Unit];
  if (perSecond >= LEAST_PER_SECOND && perSecond <= MOST_PER_SECOND) return perSecond;
  throw new InvalidArgumentError(
    "Expected records such as 5000/s, 300/min or 10/h, from 0.05/h to 1000000/s.",
  );
}

const LEAST_PER_SECOND = 1 / 86_400;

/** Above what one queue takes in any Region. */
const MOST_PER_SECOND = 1_000_000;

type Unit = "s" | "min" | "h";

const UNIT_SECONDS: Readonly<Record<Unit, number>> = { s: 1, min: 60, h: 3600 };

/** `20ms` or `1.5s`, as milliseconds, up to what a function may take.
 *  @throws InvalidArgumentError */
export function readMilliseconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s)$/u.exec(text);
  const milliseconds = Number(match?.[1]) * (match?.[2] === "s" ? 1000 : 1);
  if (milliseconds <= MOST_MILLISECONDS) return milliseconds;
  throw new InvalidArgumentError("Expected a time such as 20ms or 1.5s, up to 900s.");
}

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-timeout.html */
const MOST_MILLISECONDS = 900_000;

/** `uniform` or `zipf:1.1`. @throws InvalidArgumentError */
export function readSkew(text: string): Skew {
  if (text === "uniform") return { kind: "uniform" };
  const exponent = Number(/^zipf:(\d+(?:\.\d+)?)$/u.exec(text)?.[1]);
  if (exponent >= 0 && exponent <= MOST_SKEWED) return { kind: "zipf", exponent };
  throw new InvalidArgumentError("Expected uniform, or zipf with its exponent, such as zipf:1.1.");
}

const MOST_SKEWED = 5;

/** A reader of whole numbers. Its errors are InvalidArgumentErrors. */
export function wholeFrom(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/u.test(text) && value >= from && value <= to) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${from} to ${to}.`);
  };
}
