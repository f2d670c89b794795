import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";

/** A listening local server. `url` is `http://127.0.0.1:<port>` without a trailing slash. */
export type LocalServer = {
  readonly url: string;
  readonly port: number;
  /** Ends open connections, long polls included, and resolves when the port is free. */
  close(): Promise<void>;
};

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Responder = (request: IncomingMessage, body: Buffer) => Promise<Answer>;

export type ListenOptions = {
  /** @default 0, any free port */
  readonly port?: number;
  /** Is shown each request before it is answered. @default nobody is */
  readonly onRequest?: (request: IncomingMessage, body: Buffer) => void;
};

/**
 * Listens on the loopback address only; the emulators check no signature, so nothing outside this
 * machine may reach them. `port` 0 takes any free port.
 */
export async function listen(
  responder: Responder,
  { port = 0, onRequest }: ListenOptions = {},
): Promise<LocalServer> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void respond(responder, onRequest, request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function respond(
  responder: Responder,
  onRequest: ListenOptions["onRequest"],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const asked = await bodyOf(request);
    onRequest?.(request, asked);
    const { status, contentType, body, headers } = await responder(request, asked);
    response.writeHead(status, {
      "content-type": contentType,
      "content-length": Buffer.byteLength(body),
      ...headers,
    });
    response.end(body);
  } catch (error) {
    // The client went away, or a defect of the emulator: either way this connection is over.
    response.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  // The SDK compresses large bodies of some operations, PutMetricData among them.
  return request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
}
