import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { createConsoleClient } from '../api/client.ts';
import { describeCaller, type Session } from '../session/session.ts';
import { announce } from '../state/announcements.ts';
import { readSetting } from '../state/settings.ts';
import { type Action, actions } from './actions.ts';
import {
  type DecisionRequest,
  type DecisionTerms,
  describeRequest,
  measureRequest,
  prepareRequests,
  type SeenVersion,
} from './decision-requests.ts';
import { removeDraft, toDraftKey } from './drafts.ts';
import {
  cancelOpenRequest,
  listOpenRequests,
  loadOpenRequests,
  type OpenRequest,
  setStage,
} from './open-requests.ts';
import {
  announceResults,
  type SendResult,
  sendDecisionRequest,
  verifyRequest,
} from './send-decisions.ts';

/** How long a decision can be undone. */
const undoMs = 5000;

/** The most bytes that browsers send after the page is left: their limit is 64 KiB for all requests together. */
const maxHeldBytes = 50_000;

/** The timer of a held decision, and the client of the user who made it. */
interface Sender {
  readonly api: RegistryClient;
  readonly timer: ReturnType<typeof setTimeout>;
}

const senders = new Map<string, Sender>();

const listHeld = (): readonly OpenRequest[] =>
  listOpenRequests().filter(({ stage }) => stage === 'held');

const takeSender = ({ key }: DecisionRequest): Sender | undefined => {
  const sender = senders.get(key);
  clearTimeout(sender?.timer);
  senders.delete(key);
  return sender;
};

const sendDecisionRequests = async (
  api: RegistryClient,
  requests: readonly DecisionRequest[],
): Promise<SendResult[]> => {
  // All are stored first: a page that is left in between offers the later requests again.
  for (const request of requests) setStage(request, 'queued');
  const results: SendResult[] = [];
  for (const request of requests) results.push(await sendDecisionRequest(api, request));
  announceResults(requests, results);
  const [first] = requests;
  const isMade = results.every(({ refused, unsent }) => refused.length + unsent === 0);
  if (first && isMade) removeDraft(toDraftKey(first.action));
  return results;
};

/** Sends a held decision now. */
export const sendHeld = (request: DecisionRequest): void => {
  const sender = takeSender(request);
  if (sender) sendDecisionRequests(sender.api, [request]);
};

/** Sends all held decisions now, because the page or the view is left. */
export const sendAllHeld = (): void => {
  for (const { request } of listHeld()) sendHeld(request);
};

const hold = (api: RegistryClient, request: DecisionRequest): void => {
  const heldBytes = listHeld().reduce((sum, one) => sum + measureRequest(one.request), 0);
  if (heldBytes + measureRequest(request) > maxHeldBytes) sendAllHeld();
  senders.set(request.key, { api, timer: setTimeout(() => sendHeld(request), undoMs) });
  setStage(request, 'held');
};

/** Cancels a held decision before it is sent. */
export const undo = (request: DecisionRequest): void => {
  if (!takeSender(request)) return;
  cancelOpenRequest(request);
  announce(`Undone: ${describeRequest(request)} was not ${actions[request.action].done}`);
};

/** Cancels the newest held decision, and returns it; undefined if there is none. */
export const undoNewest = (): DecisionRequest | undefined => {
  const newest = listHeld().at(-1)?.request;
  if (newest) undo(newest);
  else announce('Nothing to undo: all decisions were sent.');
  return newest;
};

/** Sends a request again, with the same idempotency key. */
export const sendAgain = (api: RegistryClient, request: DecisionRequest): void => {
  sendDecisionRequests(api, [request]);
};

/** Removes a request whose decisions are not made yet. */
export const discard = (request: DecisionRequest): void => cancelOpenRequest(request);

const canHold = (requests: readonly DecisionRequest[]): boolean =>
  readSetting('undo') &&
  requests.length === 1 &&
  requests.every((request) => measureRequest(request) <= maxHeldBytes);

/**
 * Decides on versions with the evidence that the reviewer saw. Holds the decision for 5 seconds, in which it can be undone.
 * Large requests are sent at once, and all of them if the setting `undo` is off.
 * @returns the results; undefined during the 5 seconds
 */
export const decide = async (
  { api, caller }: Session,
  action: Action,
  versions: readonly SeenVersion[],
  terms: DecisionTerms = {},
): Promise<readonly SendResult[] | undefined> => {
  const requests = prepareRequests({ action, as: describeCaller(caller) }, versions, terms);
  if (!canHold(requests)) return sendDecisionRequests(api, requests);
  for (const request of requests) hold(api, request);
  return undefined;
};

/**
 * Restores the requests of the previous page in this tab. All are checked first, because a duplicated tab has copies of
 * requests that the first tab may have sent. Decisions that are not made wait for the user.
 */
export const restoreOpenRequests = (): void => {
  const api = createConsoleClient();
  for (const { request, stage } of loadOpenRequests()) {
    const isRecent = stage === 'sending' || stage === 'checking';
    verifyRequest(api, { request, decisions: request.decisions, isRecent });
  }
};
