import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { createApi } from '../api/api.ts';
import { announce } from '../frame/announcements.ts';
import { readSetting } from '../frame/settings.ts';
import { nameCaller, type Session } from '../session/session.ts';
import { type Action, actions } from './actions.ts';
import { announceTallies, carryOut, settleLost, type Tally } from './carry-out.ts';
import { forgetDraft, nameDraft } from './drafts.ts';
import { dropMatter, listMatters, type Matter, noteStage, readKeptMatters } from './matters.ts';
import {
  type DecisionRequest,
  type DecisionTerms,
  describeRequest,
  measureRequest,
  prepareRequests,
  type Seen,
} from './requests.ts';

/** For how long a decision can be undone. */
const heldMs = 5000;

/** As much as a page that is left can still send: browsers allow 64 KiB for all requests together. */
const mostHeldBytes = 50_000;

/** What sends a held decision: as the person who made it. */
interface Sender {
  readonly api: RegistryClient;
  readonly timer: ReturnType<typeof setTimeout>;
}

const senders = new Map<string, Sender>();

const listHeld = (): readonly Matter[] => listMatters().filter(({ stage }) => stage === 'held');

const takeSender = ({ key }: DecisionRequest): Sender | undefined => {
  const sender = senders.get(key);
  clearTimeout(sender?.timer);
  senders.delete(key);
  return sender;
};

const carryOutAll = async (
  api: RegistryClient,
  requests: readonly DecisionRequest[],
): Promise<Tally[]> => {
  const tallies: Tally[] = [];
  for (const request of requests) tallies.push(await carryOut(api, request));
  announceTallies(requests, tallies);
  const [first] = requests;
  const isMade = tallies.every(({ refused, unsent }) => refused.length + unsent === 0);
  if (first && isMade) forgetDraft(nameDraft(first.action));
  return tallies;
};

/** Sends a held decision now. */
export const sendHeld = (request: DecisionRequest): void => {
  const sender = takeSender(request);
  if (sender) carryOutAll(sender.api, [request]);
};

/** Sends every held decision now: the page or the view is left. */
export const sendAllHeld = (): void => {
  for (const { request } of listHeld()) sendHeld(request);
};

const hold = (api: RegistryClient, request: DecisionRequest): void => {
  const heldBytes = listHeld().reduce((sum, one) => sum + measureRequest(one.request), 0);
  if (heldBytes + measureRequest(request) > mostHeldBytes) sendAllHeld();
  senders.set(request.key, { api, timer: setTimeout(() => sendHeld(request), heldMs) });
  noteStage(request, 'held');
};

/** Takes back a held decision: nothing of it was sent. */
export const undo = (request: DecisionRequest): void => {
  if (!takeSender(request)) return;
  dropMatter(request);
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
  carryOutAll(api, [request]);
};

export const discard = (request: DecisionRequest): void => dropMatter(request);

const mayHold = (requests: readonly DecisionRequest[]): boolean =>
  readSetting('undo') &&
  requests.length === 1 &&
  requests.every((request) => measureRequest(request) <= mostHeldBytes);

/**
 * Decides on versions as they were seen. The decision is held until it can no longer be undone, or sent at once where it is
 * too large for that, or somebody does without.
 * @returns what became of it; undefined while it is held
 */
export const decide = async (
  { api, caller }: Session,
  action: Action,
  versions: readonly Seen[],
  terms: DecisionTerms = {},
): Promise<readonly Tally[] | undefined> => {
  const requests = prepareRequests({ action, as: nameCaller(caller) }, versions, terms);
  if (!mayHold(requests)) return carryOutAll(api, requests);
  for (const request of requests) hold(api, request);
  return undefined;
};

/**
 * Takes up what an earlier page of this window left. All of it is looked up: a duplicated tab has a copy of what the first
 * one may have sent. What is not made waits for somebody.
 */
export const resumeDecisions = (): void => {
  const api = createApi();
  for (const { request, stage } of readKeptMatters()) {
    const isRecent = stage === 'sending' || stage === 'checking';
    settleLost(api, { request, decisions: request.decisions, isRecent });
  }
};
