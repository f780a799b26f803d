import type { APIGatewayProxyEvent } from 'aws-lambda';
import { isTakingGateRequests } from '../../api/settings/env.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageTarget } from '../../domain/packages/package-id.ts';
import type { Caller } from '../../domain/tokens/actor.ts';
import { createDeadline } from '../../util/deadline.ts';
import { minuteMs } from '../../util/duration.ts';
import { findCaller } from '../auth/find-token.ts';
import { tokens } from '../auth/tokens.ts';
import type { SubmissionRequest } from '../worker/events/submission-request.ts';
import { sendMessages } from '../worker/send-messages.ts';
import { readHeader } from './gateway-request.ts';
import type { RequestState } from './state.ts';

/** Longest value of a header that is read: tokens are shorter. */
const longestHeader = 1000;

/** Returns the token of Basic authentication: the password or, without one, the user name. */
const readBasic = (credentials: string): string => {
  const [, user = '', password = ''] =
    /^([^:]*):?([\s\S]*)$/.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password === '' ? user : password;
};

/** Readers of the token by scheme. A map, because an object also has members such as `constructor`. */
const readers: ReadonlyMap<string, (credentials: string) => string> = new Map([
  ['basic', readBasic],
  ['bearer', (token: string) => token],
]);

/** Returns the token that a package manager sends, by `Authorization` or `X-API-Key`; undefined without exactly one. */
const readInstallToken = (event: APIGatewayProxyEvent): string | undefined => {
  const [value = '', ...others] = [
    ...readHeader(event, 'X-API-Key').map((key) => `Bearer ${key}`),
    ...readHeader(event, 'Authorization'),
  ];
  const [, scheme = '', credentials = ''] = /^(\w+) +(\S+) *$/.exec(value) ?? [];
  if (others.length > 0 || value.length > longestHeader) return undefined;
  return readers.get(scheme.toLowerCase())?.(credentials) || undefined;
};

/** Returns the caller whose token may submit. Otherwise the request log gets the reason: the answer is the usual refusal. */
const findSubmitter = async (token: string, state: RequestState): Promise<Caller | undefined> => {
  const list = await tokens.current();
  if (!list) {
    state.tokenFault = 'tokens_unavailable';
    return undefined;
  }
  const found = await findCaller(list, token, tokens);
  if (!found) {
    state.tokenFault = 'invalid_token';
    return undefined;
  }
  const { caller } = found;
  state.caller = caller;
  if (caller.scopes.includes('submit')) return caller;
  state.tokenFault = 'scope_missing';
  return undefined;
};

/** Commands of npm that install packages. Others, such as `view`, only look at them. */
const installing = /^(?:add|ci|dedupe|exec|init|install|update)/;

/**
 * True if a request of a package manager belongs to no install. It may be of another command of npm, or look for a newer release
 * of the package manager itself. Maven's search for a plugin in a group looks like a package without a version.
 */
const isLookup = (
  event: APIGatewayProxyEvent,
  { ecosystem, name, version }: PackageTarget,
): boolean => {
  if (ecosystem === 'maven' && version === undefined) return true;
  const [command] = readHeader(event, 'npm-command');
  const [agent = ''] = readHeader(event, 'User-Agent');
  return (command !== undefined && !installing.test(command)) || agent.startsWith(`${name}/`);
};

/** Time in which a repeated install of the same version sends no second message. */
const repeatMs = 5 * minuteMs;
const mostRemembered = 1000;

/** Requests that this function instance has sent, with the time in epoch milliseconds. */
const sent = new Map<string, number>();

/** Time limit of the queue, in milliseconds: the install waits for the answer. */
const queueMs = 3000;

/** Puts a request into the queue of submissions. Returns false if the queue does not accept it. */
const send = async (target: PackageTarget, { label, fingerprint }: Caller): Promise<boolean> => {
  const { ecosystem, name, version = null } = target;
  const key = `${fingerprint} ${formatPackage(target)}`;
  if (Date.now() - (sent.get(key) ?? 0) < repeatMs) return true;
  const request: SubmissionRequest = {
    ...{ ecosystem, name, version, range: null },
    ...{ cause: 'install', of: null, fixes: [], root: null, by: { label, fingerprint } },
  };
  const deadline = createDeadline(queueMs);
  const unsent = await sendMessages('submissions', [JSON.stringify(request)], deadline);
  if (unsent.size > 0) return false;
  if (sent.size >= mostRemembered) sent.clear();
  sent.set(key, Date.now());
  return true;
};

/**
 * Has the registry submit what an install needs, if the setting is on and the request has a token with the scope `submit`.
 * Returns true if the queue has the request. The message has the label and the fingerprint of the token, never the token.
 */
export const requestSubmission = async (
  wanted: PackageTarget,
  event: APIGatewayProxyEvent,
  state: RequestState,
): Promise<boolean> => {
  if (!isTakingGateRequests() || isLookup(event, wanted)) return false;
  const token = readInstallToken(event);
  if (token === undefined) return false;
  const caller = await findSubmitter(token, state);
  return caller !== undefined && send(wanted, caller);
};
