import type { VersionId } from '../address/address.ts';
import { createStore, useStore } from '../frame/store.ts';
import { noteOutcome, type Stage } from './outcomes.ts';
import type { DecisionRequest } from './requests.ts';

/** A request with decisions, from the moment that somebody made them until the registry's answer is known. */
export interface Matter {
  readonly request: DecisionRequest;
  readonly stage: Stage;
}

const matters = createStore<readonly Matter[]>([]);

export const useMatters = (): readonly Matter[] => useStore(matters);

export const listMatters = (): readonly Matter[] => matters.get();

const storageKey = 'registry-decisions';

/** This window keeps them until they are answered: who decided, and by which token, is not in it. */
const keepMatters = (kept: readonly Matter[]): void => {
  try {
    if (kept.length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // They are lost with the page then.
  }
};

const isSame =
  ({ key }: DecisionRequest) =>
  ({ request }: Matter): boolean =>
    request.key === key;

const change = (next: (before: readonly Matter[]) => readonly Matter[]): void => {
  matters.set(next);
  keepMatters(matters.get());
};

/** Notes how far a request is, and of which of its versions that is said; of all, if not given. */
export const noteStage = (
  request: DecisionRequest,
  stage: Stage,
  concerned: readonly VersionId[] = request.decisions,
): void => {
  const { action } = request;
  const isNew = !matters.get().some(isSame(request));
  change((before) =>
    isNew
      ? [...before, { request, stage }]
      : before.map((one) => (isSame(request)(one) ? { request, stage } : one)),
  );
  for (const id of concerned) noteOutcome(id, { doing: { action, stage }, refused: undefined });
};

/** Forgets a request that is answered, or that nobody wants any more. */
export const forgetMatter = (request: DecisionRequest): void =>
  change((before) => before.filter((one) => !isSame(request)(one)));

/** Forgets a request, and that its versions were to be decided on. */
export const dropMatter = (request: DecisionRequest): void => {
  forgetMatter(request);
  for (const id of request.decisions) noteOutcome(id, { doing: undefined });
};

/** Returns what this window kept of an earlier page. */
export const readKeptMatters = (): readonly Matter[] => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => Array.isArray(one?.request?.decisions)) : [];
  } catch {
    return [];
  }
};
