import type { RegistryClient } from '../../shared/api/client/operations.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { toKey, type VersionId } from '../address/version-id.ts';
import { makeIdempotencyKey } from '../api/client.ts';
import { revealHidden } from '../parts/reveal-hidden.ts';
import type { Action } from './actions.ts';
import { findRecallRecord, listBlocking, type ShownEvidence } from './shown-evidence.ts';

/** The reason and the expiry of a decision. */
export interface DecisionTerms {
  readonly reason?: string;
  readonly expires_in_days?: number;
  /** ISO 8601 in UTC. */
  readonly expires_at?: string;
}

/** A version with the evidence that the reviewer saw. */
export interface SeenVersion extends VersionId, ShownEvidence {}

type Body = Parameters<RegistryClient['decidePackages']>[0]['body'];

/** One request with decisions of one action. Its idempotency key makes sure that it is applied once. */
export interface DecisionRequest {
  /** The idempotency key. */
  readonly key: string;
  readonly action: Action;
  /** The user who decides, by `describeCaller`; null if the registry has no tokens. */
  readonly as: string | null;
  readonly decisions: Body['decisions'];
}

/** The most decisions in one request. */
const maxDecisions = 100;

/** Returns the fields of a decision that bind it to the evidence on the screen: it reverses and overrides nothing else. */
const toFields = (action: Action, seen: SeenVersion, terms: DecisionTerms) => {
  const { status: expected_status, evidence_version } = seen;
  if (action === 'reject') return { ...terms, expected_status, action };
  const override = listBlocking(seen);
  const record = findRecallRecord(seen);
  return {
    ...terms,
    expected_status,
    ...(override.length > 0 && { override }),
    ...(record !== undefined && { accept_recall: record }),
    ...(evidence_version !== null && { expected_evidence_version: evidence_version }),
    ...(action === 'keep' && { keep: true }),
    action: 'approve' as const,
  };
};

/** Returns the requests for a decision on some versions, with up to 100 versions each. */
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

/** Returns the size of the request body in bytes. */
export const measureRequest = ({ decisions }: DecisionRequest): number =>
  new TextEncoder().encode(JSON.stringify({ decisions })).length;

/** Returns true if a request has a decision on the version with this key. */
export const includesVersion = ({ decisions }: DecisionRequest, key: string): boolean =>
  decisions.some((decision) => toKey(decision) === key);

/** Names the versions of a request: `npm:left-pad@1.3.0`, `12 versions`. */
export const describeRequest = ({ decisions }: DecisionRequest): string => {
  const [only, ...others] = decisions;
  return only && others.length === 0
    ? revealHidden(formatPackage(only))
    : `${decisions.length} versions`;
};
