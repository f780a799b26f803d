/** Passes DynamoDB calls on to the engine over connections that stay open. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ApiAnswer } from './api-call.ts';

export interface Forwarder {
  /** Sends the request with these bytes as its body. Rejects when the engine cannot be reached. */
  forward(incoming: IncomingMessage, body: Buffer): Promise<ApiAnswer>;
  close(): void;
}

/** The credentials by which every call reaches the engine, which checks no signature. */
export const engineCredentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Headers about one connection, which each side sets for itself. */
const connectionHeaders = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
];

const keepEndToEnd = (headers: IncomingMessage['headers']): Record<string, string> => {
  const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
};

/** DynamoDB Local keeps a separate database for each access key, so the engine sees one key for all callers. */
const makeOutgoingHeaders = (
  { headers }: IncomingMessage,
  body: Buffer,
): Record<string, string> => {
  const { authorization = '', ...others } = keepEndToEnd(headers);
  return {
    ...others,
    authorization: authorization.replace(
      /Credential=[^/]*/,
      `Credential=${engineCredentials.accessKeyId}`,
    ),
    'content-length': String(body.length),
  };
};

const readAnswer = async (response: IncomingMessage): Promise<ApiAnswer> => ({
  status: response.statusCode ?? 500,
  headers: keepEndToEnd(response.headers),
  body: await text(response),
});

/** @param endpoint of the engine, such as `http://127.0.0.1:8000` */
export const createForwarder = (endpoint: string): Forwarder => {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(endpoint);
  return {
    forward: (incoming, body) =>
      new Promise((resolve, reject) => {
        const headers = makeOutgoingHeaders(incoming, body);
        const outgoing = request(
          { agent, hostname, port, method: 'POST', path: '/', headers },
          (response) => readAnswer(response).then(resolve, reject),
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    close: () => agent.destroy(),
  };
};
