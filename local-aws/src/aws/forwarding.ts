/** Forwards DynamoDB calls to the engine over persistent connections. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ApiAnswer } from '../api-call.ts';
import type { EngineAddress } from '../engine/address.ts';

export interface Forwarder {
  /** Sends the request with `body`. Rejects if the engine cannot be reached. */
  forward(incoming: IncomingMessage, body: Buffer): Promise<ApiAnswer>;
  close(): void;
}

/** Headers of one connection, which are not forwarded. */
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

/**
 * Returns the headers for the engine. All callers share one access key, because DynamoDB Local has a database for each
 * key.
 */
const makeOutgoingHeaders = (
  { headers }: IncomingMessage,
  body: Buffer,
  accessKeyId: string,
): Record<string, string> => {
  const { authorization = '', ...others } = keepEndToEnd(headers);
  return {
    ...others,
    authorization: authorization.replace(/Credential=[^/]*/, `Credential=${accessKeyId}`),
    'content-length': String(body.length),
  };
};

const readAnswer = async (response: IncomingMessage): Promise<ApiAnswer> => ({
  status: response.statusCode ?? 500,
  headers: keepEndToEnd(response.headers),
  body: await text(response),
});

export const createForwarder = ({ endpoint, accessKeyId }: EngineAddress): Forwarder => {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(endpoint);
  return {
    forward: (incoming, body) =>
      new Promise((resolve, reject) => {
        const headers = makeOutgoingHeaders(incoming, body, accessKeyId);
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
