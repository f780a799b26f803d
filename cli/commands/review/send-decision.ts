import {
  type CallOptions,
  type RegistryClient,
  RequestError,
} from '../../../shared/api/client/client.ts';
import type { PackageAnswer, PackageListItem } from '../../../shared/api/schemas/package.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import type { OverridableCode } from '../../../shared/domain/review/approval.ts';
import { describeActor } from '../../../shared/domain/tokens/describe-actor.ts';
import { dropMilliseconds } from '../../../shared/util/drop-milliseconds.ts';
import { toOneLine } from '../../output/text.ts';
import { selectVersion } from './version-selection.ts';

/** The decision of a reviewer. */
export interface Verdict {
  readonly to: 'approved' | 'rejected';
  readonly by: string | undefined;
  readonly reason: string | undefined;
  /** The blocking issues that the reviewer saw, and overrides. */
  readonly override?: readonly OverridableCode[];
  /** The version of the evidence that the reviewer saw. */
  readonly evidenceVersion?: string;
}

/** The outcome of a decision: done, or overtaken by another reviewer. */
type Outcome =
  | { readonly kind: 'done'; readonly detail: PackageAnswer }
  | { readonly kind: 'overtaken'; readonly detail: PackageAnswer };

/** Refusals of a version that is no longer pending. */
const overtaken = new Set(['decision_in_force', 'decision_conflict']);

/** Keeps a decision with a reason from reversing the concurrent decision of another reviewer. */
const expected_status = 'pending';

const sendVerdict = (
  client: RegistryClient,
  item: PackageListItem,
  verdict: Verdict,
  call: CallOptions,
) => {
  const { to, by, reason, override, evidenceVersion: expected_evidence_version } = verdict;
  const options = { ...call, idempotencyKey: crypto.randomUUID() };
  const version = selectVersion(item);
  const body = { reason, expected_status } as const;
  const approval = { ...body, approved_by: by, override: override && [...override] };
  return to === 'approved'
    ? client.approvePackage(
        { ...version, body: { ...approval, expected_evidence_version } },
        options,
      )
    : client.rejectPackage({ ...version, body: { ...body, rejected_by: by } }, options);
};

/**
 * Decides on a version if it is still pending.
 * @throws {RequestError} for other refusals, and for faults
 */
export const sendDecision = async (
  client: RegistryClient,
  item: PackageListItem,
  verdict: Verdict,
  call: CallOptions = {},
): Promise<Outcome> => {
  try {
    return { kind: 'done', detail: await sendVerdict(client, item, verdict, call) };
  } catch (error) {
    if (!(error instanceof RequestError && overtaken.has(error.code))) throw error;
    return { kind: 'overtaken', detail: await client.showPackage(selectVersion(item), call) };
  }
};

/** Describes the outcome of a decision. */
export const describeOutcome = ({ kind, detail }: Outcome): string => {
  const { status, expires_at } = detail;
  const by = describeActor({
    by: detail.approved_by ?? detail.rejected_by,
    token_label: detail.approved_token_label ?? detail.rejected_token_label,
  });
  const until = expires_at ? ` until ${dropMilliseconds(expires_at)}` : '';
  const now = `${formatPackage(detail)} is ${status}${until}.`;
  if (kind === 'done') return toOneLine(now);
  const who = by === null ? 'Someone else' : by;
  return toOneLine(`${who} decided first: ${now} Nothing was changed.`);
};
