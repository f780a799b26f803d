import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { registryUrl } from '../api/client.ts';
import { createStore, useStore } from '../state/store.ts';
import type { DecisionRequest, DecisionTerms } from './decision-requests.ts';

/** The query of a list of reviews. */
export type ReviewsQuery = NonNullable<
  NonNullable<Parameters<RegistryClient['listReviews']>[0]>['query']
>;

/** The versions of an approval of all without issues, and the user who approves them. */
export interface ApproveAllOrder {
  readonly query: ReviewsQuery;
  /** The user who decides, by `describeCaller`; null if the registry has no tokens. */
  readonly as: string | null;
  /** The fingerprint of the user's token: only a session with this token continues. Null if the registry has no tokens. */
  readonly fingerprint: string | null;
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
  /** The numbers of versions without a decision in this step. */
  readonly counts: Partial<ApproveAllCounts>;
}

/** The numbers of versions so far. */
export interface ApproveAllCounts {
  readonly lookedAt: number;
  readonly approved: number;
  readonly refused: number;
  /** Refused, because the evidence has changed since the page was read. */
  readonly changed: number;
  /** Answered with errors of the registry, so that they may be approved. */
  readonly unknown: number;
  /** Versions that wait for automatic checks. */
  readonly waiting: number;
  /** Versions of packages that a held record of malware names. */
  readonly held: number;
  /** Versions with an open decision of this page, which may be made later. */
  readonly busy: number;
  /** Versions submitted after the start. */
  readonly later: number;
}

/** An approval of all versions without issues. It runs in steps, and continues after a reload. */
export interface ApproveAllRun extends ApproveAllOrder {
  readonly stage: 'running' | 'stopping' | 'stopped' | 'done';
  /** When the run started, in milliseconds. */
  readonly startedAt: number;
  /** When the run changed last, in milliseconds. */
  readonly changedAt: number;
  /** The cursor of the next page; null for the first one. */
  readonly after: string | null;
  readonly counts: ApproveAllCounts;
  /** The keys of older updates that the list left out. The approval of a newer update makes them visible. */
  readonly older: readonly string[];
  readonly open: OpenStep | null;
  /** Why the run stopped by itself; null if it did not. */
  readonly problem: string | null;
}

/** Other registries may be at the same host. */
const storageKey = `registry-approve-all ${registryUrl}`;

/** How long after its last change a run continues by itself: a reload is short, and a restored tab is old. */
const maxPauseMs = 60_000;

const isRun = (kept: unknown): kept is ApproveAllRun =>
  typeof kept === 'object' && kept !== null && 'changedAt' in kept;

/** Returns the run that the previous page of this tab stored; null if there is none. An old one is stopped. */
const loadRun = (): ApproveAllRun | null => {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null');
    if (!isRun(kept)) return null;
    const isOld = kept.stage === 'running' && Date.now() - kept.changedAt > maxPauseMs;
    return isOld || kept.stage === 'stopping' ? { ...kept, stage: 'stopped' } : kept;
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

/** Replaces the run, also for a reload. Null removes it. */
export const setApproveAll = (
  next: (before: ApproveAllRun | null) => ApproveAllRun | null,
): void => {
  run.set(next);
  storeRun(run.get());
};

/** Returns the run; null if there is none. */
export const findApproveAll = (): ApproveAllRun | null => run.get();

/** Returns the run, and renders again when it changes. */
export const useApproveAll = (): ApproveAllRun | null => useStore(run);
