import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { createStore, useStore } from '../state/store.ts';
import type { DecisionRequest, DecisionTerms } from './decision-requests.ts';

/** The query of a list of reviews. */
export type ReviewsQuery = NonNullable<
  NonNullable<Parameters<RegistryClient['listReviews']>[0]>['query']
>;

/** The versions of an approval of all without issues, and the user who approves them. */
interface ApproveAllOrder {
  readonly query: ReviewsQuery;
  /** A part of the name, in lower case. */
  readonly search: string;
  /** The user who decides, by `describeCaller`; null if the registry has no tokens. */
  readonly as: string | null;
  readonly terms: DecisionTerms;
  /** The number of versions to look at; null if it is unknown. */
  readonly total: number | null;
}

/** The request of one step that has no result yet, and what follows from its page. */
export interface OpenStep {
  readonly request: DecisionRequest;
  readonly page: StepPage;
}

/** A page of the list. */
export interface StepPage {
  /** The cursor of the next page; null at the end. */
  readonly next: string | null;
  readonly lookedAt: number;
  /** The number of versions that wait for automatic checks. */
  readonly waiting: number;
}

/** The numbers of versions so far. */
export interface ApproveAllCounts {
  readonly lookedAt: number;
  readonly approved: number;
  readonly refused: number;
  /** Refused, because the evidence has changed since the page was read. */
  readonly changed: number;
  readonly waiting: number;
}

/** An approval of all versions without issues. It runs in steps, and continues after a reload. */
export interface ApproveAllRun extends ApproveAllOrder {
  readonly stage: 'running' | 'stopping' | 'stopped' | 'done';
  /** The cursor of the next page; null for the first one. */
  readonly after: string | null;
  readonly counts: ApproveAllCounts;
  readonly open: OpenStep | null;
  /** Why the run stopped by itself; null if it did not. */
  readonly problem: string | null;
}

const storageKey = 'registry-approve-all';

const isRun = (kept: unknown): kept is ApproveAllRun =>
  typeof kept === 'object' && kept !== null && 'counts' in kept && 'query' in kept;

/** Returns the run that the previous page of this tab stored; null if there is none. */
const loadRun = (): ApproveAllRun | null => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    if (!isRun(kept)) return null;
    return kept.stage === 'stopping' ? { ...kept, stage: 'stopped' } : kept;
  } catch {
    return null;
  }
};

const run = createStore<ApproveAllRun | null>(loadRun());

/** Stores the run for a reload of this tab. It contains no token. */
const storeRun = (kept: ApproveAllRun | null): void => {
  try {
    if (kept === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(kept));
  } catch {
    // Without storage, a reload ends the run.
  }
};

const setRun = (next: (before: ApproveAllRun | null) => ApproveAllRun | null): void => {
  run.set(next);
  storeRun(run.get());
};

/** Returns the run; null if there is none. */
export const findApproveAll = (): ApproveAllRun | null => run.get();

/** Returns the run, and renders again when it changes. */
export const useApproveAll = (): ApproveAllRun | null => useStore(run);

/** Starts to approve all versions without issues. The frame of the page does the steps. */
export const startApproveAll = (order: ApproveAllOrder): void =>
  setRun(() => ({
    ...order,
    // From the newest on: versions that come after the start are not part of it.
    query: { ...order.query, status: 'pending', issue: 'none', sort: '-submitted_at', limit: 100 },
    stage: 'running',
    ...{ after: null, open: null, problem: null },
    counts: { lookedAt: 0, approved: 0, refused: 0, changed: 0, waiting: 0 },
  }));

/** Changes the run, if there is one. */
export const changeApproveAll = (change: (before: ApproveAllRun) => Partial<ApproveAllRun>): void =>
  setRun((before) => before && { ...before, ...change(before) });

/** Removes the run, and its progress from the page. */
export const dismissApproveAll = (): void => setRun(() => null);
