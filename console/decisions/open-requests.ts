import type { VersionId } from '../address/version-id.ts';
import { createStore, useStore } from '../state/store.ts';
import type { DecisionRequest } from './decision-requests.ts';
import type { Stage } from './outcome.ts';
import { updateOutcomes } from './outcomes.ts';

/** A request with decisions whose result is not known yet: held, behind another one, being sent, being checked, or not applied. */
export interface OpenRequest {
  readonly request: DecisionRequest;
  readonly stage: Stage;
}

const openRequests = createStore<readonly OpenRequest[]>([]);

/** Returns the open requests, and renders again when they change. */
export const useOpenRequests = (): readonly OpenRequest[] => useStore(openRequests);

/** Returns the open requests, the oldest first. */
export const listOpenRequests = (): readonly OpenRequest[] => openRequests.get();

const storageKey = 'registry-decisions';

/** Stores the open requests for a reload of this tab. They contain no token. */
const storeOpenRequests = (kept: readonly OpenRequest[]): void => {
  try {
    if (kept.length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Without storage, they are lost with the page.
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

/** Sets the stage of a request, and of its versions. `concerned` limits it to some versions. */
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
  const doing = { action, stage };
  updateOutcomes(concerned.map((id) => ({ id, doing, refused: undefined })));
};

/** Removes a request whose result is known, or that the user discards. */
export const removeOpenRequest = (request: DecisionRequest): void =>
  change((before) => before.filter((one) => !isSame(request)(one)));

/** Removes a request, and the progress of its versions. */
export const cancelOpenRequest = (request: DecisionRequest): void => {
  removeOpenRequest(request);
  updateOutcomes(request.decisions.map((id) => ({ id, doing: undefined })));
};

/** Returns the requests that the previous page of this tab stored. */
export const loadOpenRequests = (): readonly OpenRequest[] => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => Array.isArray(one?.request?.decisions)) : [];
  } catch {
    return [];
  }
};
