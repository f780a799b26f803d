import { isObject, parseJson } from '../../util/json.ts';
import { readProxies } from '../../util/proxies.ts';
import { parseRetryAfter } from '../../util/retry.ts';
import { RequestError } from './request-error.ts';
import { type Fault, type Transport, toAnswerFault } from './transport.ts';

/** Error codes of faults before a connection exists. The client has then sent nothing. */
const unsent = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const certificateFault = /CERT|TLS|SSL|SIGNATURE/;
const notTls = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** Returns the code and the message of a fetch error's cause. The error itself has no reason. */
const readReason = (error: unknown): { code: string; message: string } => {
  const { code, message } = (error as { cause?: NodeJS.ErrnoException }).cause ?? {};
  return { code: code ?? '', message: message || code || String(error) };
};

const toConnectionFault = (url: string, error: unknown): Fault => {
  const { host } = new URL(url);
  if ((error as Error).name === 'TimeoutError') {
    const detail = `${host} did not answer in time.`;
    const timeout = new RequestError({ code: 'timeout', detail, cause: error });
    return { error: timeout, passing: true, maybeApplied: true };
  }
  const { code, message } = readReason(error);
  // OpenSSL's own message does not explain the problem.
  const reason = notTls.test(code)
    ? 'it does not speak TLS. Does its URL begin with http?'
    : `${message}.`;
  const detail = `${host} cannot be reached: ${reason}`;
  return {
    error: new RequestError({ code: 'unreachable', detail, cause: error }),
    passing: !certificateFault.test(code),
    maybeApplied: !unsent.has(code),
  };
};

const describeUnexpected = (status: number, redirectedTo: string | null, host: string): string => {
  const what =
    redirectedTo === null
      ? 'not as a package registry does'
      : `with a redirection to ${redirectedTo}`;
  return `${host} answered ${status}, ${what}. Is the URL that of the registry?`;
};

const toFault = ({ status, headers }: Response, host: string, body: unknown): Fault =>
  toAnswerFault(
    { status, retryAfterMs: parseRetryAfter(headers.get('retry-after')) ?? 0 },
    body,
    describeUnexpected(status, headers.get('location'), host),
  );

/**
 * Returns a new proxy agent. An error of undici would contain the proxy's URL, and perhaps a password.
 * @throws {RequestError} if the URL of a proxy is invalid
 */
const createProxyAgent = <T>(Agent: new () => T): T => {
  try {
    return new Agent();
  } catch {
    const detail = 'HTTPS_PROXY or HTTP_PROXY is no URL such as http://proxy.example.com:8080.';
    throw new RequestError({ code: 'unreachable', detail });
  }
};

/**
 * Returns undici's fetch, with the proxies of the environment. Not every release of Node.js has a fetch with proxies.
 */
const createProxiedFetch = async (): Promise<typeof fetch> => {
  const { EnvHttpProxyAgent, fetch: fetchBy } = await import('undici');
  const dispatcher = createProxyAgent(EnvHttpProxyAgent);
  return ((url: string, init: object) =>
    fetchBy(url, { ...init, dispatcher })) as unknown as typeof fetch;
};

let proxied: Promise<typeof fetch> | undefined;

/** Returns a fetch through the proxies of the environment; undefined if it names none. */
export const findProxiedFetch = async (): Promise<typeof fetch | undefined> => {
  if (Object.keys(readProxies()).length === 0) return undefined;
  proxied ??= createProxiedFetch();
  return proxied;
};

/** Sends a request once, from Node.js. It follows no redirect, which would forward the token. */
export const sendFromNode: Transport = async ({ url, isQuestion: _, ...init }, { signal }) => {
  const send = (await findProxiedFetch()) ?? fetch;
  try {
    const response = await send(url, { ...init, signal, redirect: 'manual' });
    const body = parseJson(await response.text());
    // Every successful response of the registry is an object.
    const isResult = response.ok && isObject(body);
    const { status, headers } = response;
    const head = { status, requestId: headers.get('x-amzn-requestid') };
    return isResult
      ? { ...head, result: body }
      : { ...head, fault: toFault(response, new URL(url).host, body) };
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    return { status: null, requestId: null, fault: toConnectionFault(url, error) };
  }
};
