import type { VersionId } from '../address/address.ts';
import { createStore, useStore } from '../state/store.ts';
import type { DecisionRequest } from './decision-requests.ts';
import { type Stage, updateOutcome } from './outcomes.ts';

/** A request with decisions, from the moment that somebody made them until the registry's answer is known. */
export interface OpenRequest {
  readonly request: DecisionRequest;
  readonly stage: Stage;
}

const openRequests = createStore<readonly OpenRequest[]>([]);

export const useOpenRequests = (): readonly OpenRequest[] => useStore(openRequests);

export const listOpenRequests = (): readonly OpenRequest[] => openRequests.get();

const storageKey = 'registry-decisions';

/** This window keeps them until they are answered: who decided, and by which token, is not in it. */
const storeOpenRequests = (kept: readonly OpenRequest[]): void => {
  try {
    if (kept.length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // They are lost with the page then.
  }
};

const isSame =
  ({ key }: DecisionRequest) =>
  ({ request }: OpenRequest): boolean =>
    request.key === key;

const change = (next: (before: readonly OpenRequest[]) => readonly OpenRequest[]): void => {
  openRequests.set(next);
  storeOpenRequests(openRequests.get());
};

/** Notes how far a request is, and of which of its versions that is said; of all, if not given. */
export const setStage = (
  request: DecisionRequest,
  stage: Stage,
  concerned: readonly VersionId[] = request.decisions,
): void => {
  const { action } = request;
  const isNew = !openRequests.get().some(isSame(request));
  change((before) =>
    isNew
      ? [...before, { request, stage }]
      : before.map((one) => (isSame(request)(one) ? { request, stage } : one)),
  );
  for (const id of concerned) updateOutcome(id, { doing: { action, stage }, refused: undefined });
};

/** Forgets a request that is answered, or that nobody wants any more. */
export const removeOpenRequest = (request: DecisionRequest): void =>
  change((before) => before.filter((one) => !isSame(request)(one)));

/** Forgets a request, and that its versions were to be decided on. */
export const cancelOpenRequest = (request: DecisionRequest): void => {
  removeOpenRequest(request);
  for (const id of request.decisions) updateOutcome(id, { doing: undefined });
};

/** Returns what this window kept of an earlier page. */
export const loadOpenRequests = (): readonly OpenRequest[] => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => Array.isArray(one?.request?.decisions)) : [];
  } catch {
    return [];
  }
};
