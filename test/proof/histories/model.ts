/** The documented behaviour of a version, its decisions and its scans, as a sequential model. */
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../../use-cases/review/find-linearization.ts';
import { explainsDecision, type Outcome, toState } from '../../use-cases/review/history.ts';
import {
  type Decision,
  decideVersion,
  newVersion,
  type State,
} from '../../use-cases/review/version-model.ts';

type ScanVerdict = 'passed' | 'failed';

/** A version, and the latest verdict of each tool. */
export interface Known {
  readonly version: State;
  readonly scans: Readonly<Record<string, ScanVerdict>>;
}

export const nothingKnown: Known = { version: null, scans: {} };

type Apply = Operation<Known>['apply'];

const hasFailed = ({ scans }: Known): boolean => Object.values(scans).includes('failed');

export const submitted =
  (outcome: Outcome): Apply =>
  (known) => {
    if (outcome.kind === 'refused') {
      return outcome.code === 'package_exists' && known.version !== null ? known : undefined;
    }
    if (known.version !== null) return undefined;
    const isNew =
      outcome.kind !== 'done' || isDeepStrictEqual(toState(outcome.detail, 0), newVersion);
    return isNew ? { ...known, version: newVersion } : undefined;
  };

/** A decision that a failed scan may block. */
export const decided =
  (decision: Decision & { readonly override: boolean }, outcome: Outcome): Apply =>
  (known) => {
    const isBlocked = decision.to === 'approved' && !decision.override && hasFailed(known);
    const wouldDecide = typeof decideVersion(known.version, decision) === 'object';
    if (outcome.kind === 'refused' && outcome.code === 'approval_blocked') {
      return isBlocked && wouldDecide ? known : undefined;
    }
    if (outcome.kind !== 'refused' && isBlocked) return undefined;
    const version = explainsDecision(known.version, decision, outcome);
    return version === undefined ? undefined : { ...known, version };
  };

/** The outcome of a scan upload, with the status of the scan. */
type ScanOutcome =
  | { readonly kind: 'done'; readonly status: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'undone' | 'unknown' };

export const scanned =
  (tool: string, verdict: ScanVerdict, outcome: ScanOutcome): Apply =>
  (known) => {
    if (outcome.kind === 'refused') {
      return outcome.code === 'package_not_found' && known.version === null ? known : undefined;
    }
    if (known.version === null) return undefined;
    if (outcome.kind === 'done' && outcome.status !== verdict) return undefined;
    return { ...known, scans: { ...known.scans, [tool]: verdict } };
  };

/** A read of the merged scan, or its error code. A scan of the registry itself finds nothing. */
export const readMergedScan =
  (seen: string, { isScanning }: { readonly isScanning: boolean }): Apply =>
  (known) => {
    if (isScanning && known.version !== null) {
      return (seen === 'failed') === hasFailed(known) ? known : undefined;
    }
    const isScanned = Object.keys(known.scans).length > 0;
    const isThere = known.version !== null;
    const missing = isThere ? 'scan_not_found' : 'package_not_found';
    const found = hasFailed(known) ? 'failed' : 'passed';
    return seen === (isThere && isScanned ? found : missing) ? known : undefined;
  };

/** A read of a whole version; null: the version did not exist. */
export const readWhole =
  (seen: State): Apply =>
  (known) => {
    const { version } = known;
    if (version === null || seen === null) return version === seen ? known : undefined;
    // The response does not show the number of decisions.
    return isDeepStrictEqual({ ...seen, revision: version.revision }, version) ? known : undefined;
  };

/** A read of the status alone, or of the absence in a list. */
export const readStatus =
  (isSeen: (status: string | undefined) => boolean): Apply =>
  (known) =>
    isSeen(known.version?.status) ? known : undefined;
