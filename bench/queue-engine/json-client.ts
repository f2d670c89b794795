import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { json } from "node:stream/consumers";

/** Speaks SQS's JSON protocol with nothing around it: the SDK's own work, several times the
 *  server's, would be measured with it otherwise. */
export type JsonClient = {
  /** @throws Error for an answer that is not 200 */
  call(operation: string, input: object): Promise<unknown>;
  close(): void;
};

export function jsonClient(url: string): JsonClient {
  const agent = new Agent({ keepAlive: true });
  return {
    async call(operation, input): Promise<unknown> {
      const headers = {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `AmazonSQS.${operation}`,
      };
      const sending = request(url, { agent, method: "POST", headers });
      sending.end(JSON.stringify(input));
      const [response] = (await once(sending, "response")) as [IncomingMessage];
      const answer = await json(response);
      if (response.statusCode !== 200) throw new Error(JSON.stringify(answer));
      return answer;
    },
    close: () => agent.destroy(),
  };
}
