import { expect, it } from "vitest";
import type { Answer } from "./ask-cases.ts";
import { CASES } from "./cases.ts";
import { EXPECTED } from "./expected.ts";
import { report } from "./report.ts";

const KNOWN = EXPECTED.flatMap(({ titles }) => titles);

function reported(answers: readonly Answer[]) {
  const said: string[] = [];
  const code = report(answers, (text) => said.push(text));
  return { code, text: said.join("\n").replaceAll(/\s+/g, " ") };
}

it("succeeds where all that differs is expected, and says why", () => {
  const { code, text } = reported(KNOWN.map((title) => ({ title, seen: "otherwise" })));
  expect(code).toBe(0);
  expect(text).toContain("│ it ignores the attempt id of a receive │");
  const { length } = KNOWN;
  expect(text).toContain(`${length} asked: 0 the same, ${length} differ as expected, 0 unexpected`);
});

it("fails for a difference that nobody expected", () => {
  const { code, text } = reported([{ title: "gives a group in the order sent", seen: "'a1 a0'" }]);
  expect(code).toBe(1);
  expect(text).toContain("│ UNEXPECTED difference │ seen │ why │");
  expect(text).toContain("│ gives a group in the order sent │ 'a1 a0' │ - │");
});

it("names what no longer differs without failing", () => {
  const { code, text } = reported([{ title: KNOWN[0] ?? "", seen: undefined }]);
  expect(code).toBe(0);
  expect(text).toContain(`no longer differs, take it off the list: ${KNOWN[0]}`);
});

it("is silent where what differs sometimes does not", () => {
  const titles = EXPECTED.flatMap((one) => (one.sometimes ? one.titles : []));
  const { code, text } = reported(titles.map((title) => ({ title, seen: undefined })));
  expect(code).toBe(0);
  expect(text).toBe(
    `${titles.length} asked: ${titles.length} the same, 0 differ as expected, 0 unexpected`,
  );
});

it("expects a difference only in what is asked, and once", () => {
  const asked = new Set(CASES.map(({ title }) => title));
  expect(KNOWN.filter((title) => !asked.has(title))).toEqual([]);
  expect(new Set(KNOWN).size).toBe(KNOWN.length);
});
