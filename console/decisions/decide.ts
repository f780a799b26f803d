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

/** For how long a decision can be undone. */
const heldMs = 5000;

/** As much as a page that is left can still send: browsers allow 64 KiB for all requests together. */
const maxHeldBytes = 50_000;

/** What sends a held decision: as the person who made it. */
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

/** Sends every held decision now: the page or the view is left. */
export const sendAllHeld = (): void => {
  for (const { request } of listHeld()) sendHeld(request);
};

const hold = (api: RegistryClient, request: DecisionRequest): void => {
  const heldBytes = listHeld().reduce((sum, one) => sum + measureRequest(one.request), 0);
  if (heldBytes + measureRequest(request) > maxHeldBytes) sendAllHeld();
  senders.set(request.key, { api, timer: setTimeout(() => sendHeld(request), heldMs) });
  setStage(request, 'held');
};

/** Takes back a held decision: nothing of it was sent. */
export const undo = (request: DecisionRequest): void => {
  if (!takeSender(request)) return;
  cancelOpenRequest(request);
  announce(`Undone: ${describeRequest(request)} was not ${actions[request.action].done}`);
};

/** Takes back the newest held decision, and returns it. */
export const undoNewest = (): DecisionRequest | undefined => {
  const newest = listHeld().at(-1)?.request;
  if (newest) undo(newest);
  else announce('Nothing can be undone: every decision was sent.');
  return newest;
};

/** Sends again what is not made yet: with the same key, so that it is done once. */
export const sendAgain = (api: RegistryClient, request: DecisionRequest): void => {
  sendDecisionRequests(api, [request]);
};

export const discard = (request: DecisionRequest): void => cancelOpenRequest(request);

const canHold = (requests: readonly DecisionRequest[]): boolean =>
  readSetting('undo') &&
  requests.length === 1 &&
  requests.every((request) => measureRequest(request) <= maxHeldBytes);

/**
 * Decides on versions as they were seen. The decision is held until it can no longer be undone, or sent at once where it is
 * too large for that, or somebody does without.
 * @returns what became of it; undefined while it is held
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
 * Takes up what an earlier page of this window left. All of it is looked up: a duplicated tab has a copy of what the first
 * one may have sent. What is not made waits for somebody.
 */
export const restoreOpenRequests = (): void => {
  const api = createConsoleClient();
  for (const { request, stage } of loadOpenRequests()) {
    const isRecent = stage === 'sending' || stage === 'checking';
    verifyRequest(api, { request, decisions: request.decisions, isRecent });
  }
};
