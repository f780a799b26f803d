import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  beginSignIn,
  finishSignIn,
  type SignInProvider,
  type SignInTokens,
} from '../../../shared/api/client/sign-in.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';

/** Time limit of a sign-in, in milliseconds. */
const timeoutMs = 300_000;

const callbackPath = '/callback';

/** The answer of the provider, which the browser brings, and the response to the browser. */
interface Callback {
  readonly answer: URLSearchParams;
  readonly response: ServerResponse;
}

/**
 * Writes a plain page, and waits until it is sent. Its address has the code of the sign-in, so that no cache and no other page
 * may get it.
 */
const writePage = async (response: ServerResponse, status: number, text: string): Promise<void> => {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  // A browser may have gone.
  const sent = Promise.race([once(response, 'finish'), once(response, 'close')]);
  response.end(`${text}\n`);
  await sent;
};

/**
 * Listens on this machine alone. Resolves to the address of the callback. A provider that compares the port, such as Cognito,
 * also wants the name of the machine.
 */
const listen = async (server: Server, port: number | undefined): Promise<string> => {
  server.listen(port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const host = port === undefined ? '127.0.0.1' : 'localhost';
  return `http://${host}:${(server.address() as AddressInfo).port}${callbackPath}`;
};

/** Returns the callback of a request; undefined for any other request, which it answers. */
const readCallback = (
  { method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  state: string,
): Callback | undefined => {
  const address = URL.parse(url, 'http://127.0.0.1');
  if (method !== 'GET' || address?.pathname !== callbackPath) {
    void writePage(response, 404, 'There is no such page.');
    return undefined;
  }
  if (address.searchParams.get('state') !== state) {
    void writePage(response, 400, 'This answer belongs to another sign-in.');
    return undefined;
  }
  return { answer: address.searchParams, response };
};

/** Resolves to the first callback of the sign-in. Each later one gets 404. */
const awaitCallback = (server: Server, state: string): Promise<Callback> =>
  new Promise((resolve) => {
    let isAnswered = false;
    server.on('request', (request, response) => {
      const callback = readCallback(request, response, isAnswered ? '' : state);
      if (!callback) return;
      isAnswered = true;
      resolve(callback);
    });
  });

const refuseLate = (): NegativeResultError =>
  new NegativeResultError('Nobody has signed in within 5 minutes.', [
    'Run registry login --sso again.',
  ]);

/**
 * Resolves to the result of work.
 * @throws {NegativeResultError} after the time limit
 */
const untilLimit = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const stop = (): void => reject(signal.aborted ? signal.reason : refuseLate());
    if (limited.aborted) stop();
    limited.addEventListener('abort', stop);
    work.then(resolve, reject);
  });

const exchange = async (
  { answer, response }: Callback,
  finish: (answer: URLSearchParams) => Promise<SignInTokens>,
): Promise<SignInTokens> => {
  try {
    const tokens = await finish(answer);
    await writePage(response, 200, 'You are signed in. You can close this page.');
    return tokens;
  } catch (error) {
    await writePage(response, 400, 'The sign-in failed. The command shows the reason.');
    throw error;
  }
};

/** Also ends connections without a request, which browsers open in advance. */
const close = async (server: Server): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
};

/** How a sign-in with a browser runs. */
interface LoopbackOptions {
  /** Shows the address of the provider's page to the user. */
  readonly show: (address: string) => Promise<void>;
  /** The port of the callback; a free one unless given. */
  readonly port: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Has the user sign in with a browser of this machine, which brings the answer of the provider to a port of it. Resolves to the
 * tokens.
 * @throws {NegativeResultError} after five minutes
 * @throws {Error} if the provider refuses or does not answer
 */
export const signInOnLoopback = async (
  provider: SignInProvider,
  { show, port, signal }: LoopbackOptions,
): Promise<SignInTokens> => {
  const server = createServer();
  const redirectUri = await listen(server, port);
  try {
    const { url, pending } = await beginSignIn(provider, redirectUri);
    const callback = awaitCallback(server, pending.state);
    await show(url.href);
    return await exchange(await untilLimit(callback, signal), (answer) =>
      finishSignIn(provider, answer, pending),
    );
  } finally {
    await close(server);
  }
};
