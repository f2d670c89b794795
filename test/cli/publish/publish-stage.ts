import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import { openClients } from "../../../cli/clients.ts";
import { type PublishOptions, publish } from "../../../cli/publish/publish.ts";
import { NOW } from "../letters/letters.ts";
import { setBacklog, sqs } from "../stage.ts";

type Entry = { readonly Id: string; readonly MessageBody: string; readonly MessageGroupId: string };

/** A backlog whose queue takes every record but those whose payload contains `deny`, and what it took:
 *  payloads in the order sent. */
export function setQueue(deny?: string): { readonly taken: readonly string[] } {
  setBacklog({});
  const taken: string[] = [];
  sqs.on(SendMessageBatchCommand).callsFake(({ Entries }: { Entries: readonly Entry[] }) => {
    const denied = (entry: Entry) => deny !== undefined && entry.MessageBody.includes(deny);
    const accepted = Entries.filter((entry) => !denied(entry));
    taken.push(...accepted.map(({ MessageBody }) => MessageBody));
    return {
      Successful: accepted.map(({ Id }, index) => ({
        Id,
        MessageId: `m-${Id}`,
        SequenceNumber: String(taken.length + index),
      })),
      Failed: Entries.filter(denied).map(({ Id }) => ({
        Id,
        SenderFault: true,
        Code: "InvalidMessageContents",
        Message: "denied",
      })),
    };
  });
  return { taken };
}

/** Publishes these lines, or these bytes, from stdin. */
export async function publishInput(
  input: string | AsyncIterable<Uint8Array>,
  {
    json = false,
    onChunk = () => undefined,
    interruptAfter,
    ...options
  }: PublishOptions & {
    json?: boolean;
    onChunk?: () => void;
    interruptAfter?: Promise<unknown>;
  } = {},
) {
  const out: string[] = [];
  const terminal = {
    write: (text: string) => {
      out.push(text);
    },
    width: undefined,
    paint: (_: string, text: string) => text,
  };
  const session = { clients: openClients(), terminal, errors: terminal, nowMs: NOW, json };
  const progress: number[] = [];
  const exitCode = await publish("grants", options, session, {
    input: typeof input === "string" ? chunksOf(input) : input,
    progress: () => ({
      set: (published) => {
        progress.push(published);
        onChunk();
      },
      end: () => undefined,
    }),
    onInterrupt: (listener) => {
      void interruptAfter?.then(listener);
      return () => undefined;
    },
  });
  return { exitCode, out: out.join("\n"), progress };
}

/** In chunks of odd sizes, so that lines and characters are cut in two. */
async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 37) yield bytes.subarray(start, start + 37);
}
