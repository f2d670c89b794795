import { InvalidArgumentError } from "commander";
import type { Skew } from "./load.ts";

/** `5000/s` or `300000/min`, as records a second. @throws InvalidArgumentError */
export function readRate(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(?:\/(s|min|h))?$/u.exec(text);
  const perSecond = Number(match?.[1]) / UNIT_SECONDS[(match?.[2] ?? "s") as Unit];
  if (perSecond > 0) return perSecond;
  throw new InvalidArgumentError("Expected records a second above 0, such as 5000/s.");
}

type Unit = "s" | "min" | "h";

const UNIT_SECONDS: Readonly<Record<Unit, number>> = { s: 1, min: 60, h: 3600 };

/** `20ms` or `1.5s`, as milliseconds. @throws InvalidArgumentError */
export function readMilliseconds(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s)$/u.exec(text);
  if (match === null) throw new InvalidArgumentError("Expected a time, such as 20ms or 1.5s.");
  return Number(match[1]) * (match[2] === "s" ? 1000 : 1);
}

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
