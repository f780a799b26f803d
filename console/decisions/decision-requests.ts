import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { toKey, type VersionId } from '../address/address.ts';
import { makeIdempotencyKey } from '../api/client.ts';
import { revealHidden } from '../parts/reveal-hidden.ts';
import type { Action } from './actions.ts';
import { listBlocking, type ShownEvidence } from './shown-evidence.ts';

/** What goes with a decision, besides what was shown of the version. */
export interface DecisionTerms {
  readonly reason?: string;
  readonly expires_in_days?: number;
  /** ISO 8601 in UTC. */
  readonly expires_at?: string;
}

/** A version as the reviewer saw it. */
export interface SeenVersion extends VersionId, ShownEvidence {}

type Body = Parameters<RegistryClient['decidePackages']>[0]['body'];

/** One request with decisions of one kind, which the registry carries out once however often it is sent. */
export interface DecisionRequest {
  /** Its Idempotency-Key. */
  readonly key: string;
  readonly action: Action;
  /** Who decides, by `nameCaller`; null while the registry needs no token. */
  readonly as: string | null;
  readonly decisions: Body['decisions'];
}

/** How many versions one request decides on. */
const maxDecisions = 100;

/** Returns the fields that hold a decision to what the reviewer saw: nothing else is reversed or overridden. */
const toFields = (action: Action, seen: SeenVersion, terms: DecisionTerms) => {
  const { status: expected_status, evidence_version } = seen;
  if (action === 'reject') return { ...terms, expected_status, action };
  const override = listBlocking(seen);
  return {
    ...terms,
    expected_status,
    ...(override.length > 0 && { override }),
    ...(evidence_version !== null && { expected_evidence_version: evidence_version }),
    ...(action === 'keep' && { keep: true }),
    action: 'approve' as const,
  };
};

/** Returns the requests that decide on some versions as they were seen: one for each hundred. */
export const prepareRequests = (
  { action, as }: Pick<DecisionRequest, 'action' | 'as'>,
  versions: readonly SeenVersion[],
  terms: DecisionTerms,
): DecisionRequest[] =>
  splitInto(maxDecisions, versions).map((some) => ({
    ...{ key: makeIdempotencyKey(), action, as },
    decisions: some.map((seen) => {
      const { ecosystem, name, version } = seen;
      return { ecosystem, name, version, ...toFields(action, seen, terms) };
    }),
  }));

/** Returns the size of a request's body, in bytes. */
export const measureRequest = ({ decisions }: DecisionRequest): number =>
  new TextEncoder().encode(JSON.stringify({ decisions })).length;

/** Returns whether a request decides on the version with this key. */
export const includesVersion = ({ decisions }: DecisionRequest, key: string): boolean =>
  decisions.some((decision) => toKey(decision) === key);

/** Returns what a request decides on, for people: `left-pad 1.3.0`, `12 versions`. */
export const describeRequest = ({ decisions }: DecisionRequest): string => {
  const [only, ...others] = decisions;
  return only && others.length === 0
    ? revealHidden(`${only.name} ${only.version}`)
    : `${decisions.length} versions`;
};
