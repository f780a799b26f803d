import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The response to one request. */
export type Scene = (response: ServerResponse, request: IncomingMessage) => void;

export interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedServer {
  readonly url: string;
  readonly received: ReceivedRequest[];
  readonly close: () => Promise<void>;
}

/** A server with one scripted response for each request; it repeats the last one. */
export const startScripted = async (...script: readonly Scene[]): Promise<ScriptedServer> => {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    const scene = script[Math.min(received.length, script.length - 1)];
    received.push({ method, url, headers, body });
    scene?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Scene =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** A problem document as the registry writes it. */
export const problem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Scene =>
  json(
    status,
    { type: 'x', title: 'x', status, code, detail: `Told: ${code}.`, request_id: 'id-1' },
    headers,
  );

/** Closes the connection after the request has arrived. */
export const breakOff: Scene = (response) => void response.socket?.destroy();

/** Delays a response, to test the output during the wait. A slow machine only delays it further. */
export const later =
  (ms: number, scene: Scene): Scene =>
  (response, request) =>
    void setTimeout(() => scene(response, request), ms);

/** Responses that wait for a test to release them. */
export const holdBack = (scene: Scene): { readonly scene: Scene; readonly release: () => void } => {
  const released = Promise.withResolvers<void>();
  return {
    scene: (response, request) => void released.promise.then(() => scene(response, request)),
    release: released.resolve,
  };
};

/** Never responds. */
export const silence: Scene = () => {};
