import { expect, it, vi } from "vitest";
import { PublishError, type PublishReport } from "../../../lambdas/aws/publisher/publish-error.ts";
import type { Publisher } from "../../../lambdas/aws/publisher/publisher.ts";
import { publishEvents } from "../../../local/demo/publish-events.ts";
import type { RecordLine } from "../../../local/demo/read-events.ts";

const NOTHING: PublishReport = { accepted: [], failed: [], unsent: [], refused: [] };

/** Refuses what has no key, as the publisher does: then nothing of the call is sent. */
function publisherOf(calls: (readonly string[])[]): Pick<Publisher, "publish"> {
  return {
    async publish(records) {
      const all = records.map(({ key, id = "" }, index) => ({ index, key, id }));
      const refused = all
        .filter(({ key }) => key === "")
        .map(({ index, id }) => ({ index, id, reason: "no key" }));
      if (refused.length > 0) throw new PublishError({ ...NOTHING, refused });
      calls.push(all.map(({ id }) => id));
      const accepted = all.map(({ index, id }) => ({
        ...{ index, id, partition: 0, offset: "1", messageId: undefined },
      }));
      return { ...NOTHING, accepted };
    },
  };
}

function stage(keys: readonly string[]) {
  const said: string[] = [];
  const calls: (readonly string[])[] = [];
  const records = keys.map(
    (key, n): RecordLine => ({
      kind: "record",
      line: n + 1,
      record: { key, payload: "", id: `e${n + 1}` },
    }),
  );
  const ended = vi.fn();
  const output = {
    line: (text: string) => void said.push(text),
    table: () => undefined,
    progress: () => ({ set: () => undefined, end: ended }),
  };
  const publish = (signal = new AbortController().signal) =>
    publishEvents(publisherOf(calls), records, output, signal);
  return { said, calls, ended, publish };
}

it("publishes in the file's order, what is refused aside, and names the refused lines", async () => {
  const { said, calls, publish } = stage(["a", "", "b", ""]);
  expect((await publish()).map(({ id }) => id)).toEqual(["e1", "e3"]);
  expect(calls).toEqual([["e1", "e3"]]);
  expect(said).toEqual(["line 2 refused: no key", "line 4 refused: no key"]);
});

it("goes on behind a slice of which all is refused", async () => {
  const { calls, publish } = stage([...Array.from({ length: 200 }, () => ""), "a"]);
  expect(await publish()).toHaveLength(1);
  expect(calls).toEqual([["e201"]]);
});

it("stops between two slices when it is told to", async () => {
  const { calls, ended, publish } = stage(["a"]);
  await expect(publish(AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  // A bar that is not ended keeps the process alive.
  expect(ended).toHaveBeenCalledOnce();
  expect(calls).toEqual([]);
});
