import { afterAll, beforeAll, expect, it } from "vitest";
import { type Sqs, startSqs } from "../../local/sqs/server.ts";
import { type Answer, askCases } from "./ask-cases.ts";
import { CASES } from "./cases.ts";
import { sqsAt } from "./sqs-at.ts";

let sqs: Sqs;
let answers: readonly Answer[];

// All at once, for most of them only wait.
beforeAll(async () => {
  sqs = await startSqs();
  answers = await askCases(CASES, sqsAt(sqs.url), { atOnce: 30 });
}, 60_000);

afterAll(() => sqs?.close());

it("asks each rule once", () => {
  expect(new Set(CASES.map(({ title }) => title)).size).toBe(CASES.length);
});

it.each(CASES)("$title", ({ title }) => {
  expect(answers.find((answer) => answer.title === title)).toEqual({ title, seen: undefined });
});
