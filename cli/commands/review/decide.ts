import {
  type CallOptions,
  type RegistryClient,
  RequestError,
} from '../../../shared/api/client/client.ts';
import type { PackageAnswer, PackageListItem } from '../../../shared/api/schemas/package.ts';
import type { ObjectionCode } from '../../../shared/domain/review/approval.ts';
import { describeActor } from '../../../shared/domain/tokens/describe-actor.ts';
import { toOneLine } from '../../output/text.ts';
import { toSeconds } from '../../presentation/activity.ts';
import { selectVersion } from './version-selection.ts';

/** What a reviewer has made up their mind to. */
export interface Verdict {
  readonly to: 'approved' | 'rejected';
  readonly by: string | undefined;
  readonly reason: string | undefined;
  /** The blocking issues that it is approved in spite of: those that the reviewer was shown. */
  readonly override?: readonly ObjectionCode[];
  /** The version of the evidence that the reviewer was shown. */
  readonly evidenceVersion?: string;
}

/** What became of it: done, or decided by somebody else before. */
type Outcome =
  | { readonly kind: 'done'; readonly detail: PackageAnswer }
  | { readonly kind: 'overtaken'; readonly detail: PackageAnswer };

/** Refusals that mean that the version is not pending any more. */
const overtaken = new Set(['decision_in_force', 'decision_conflict']);

/** With a reason, the registry would otherwise let a decision reverse what a second reviewer has decided meanwhile. */
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
 * Decides on a pending version, and on no other.
 * @throws {RequestError} for every other refusal, and for faults
 */
export const decide = async (
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

/** Tells a reviewer of the outcome. */
export const describeOutcome = ({ kind, detail }: Outcome): string => {
  const { name, version, status, expires_at } = detail;
  const by = describeActor({
    by: detail.approved_by ?? detail.rejected_by,
    token_label: detail.approved_token_label ?? detail.rejected_token_label,
  });
  const until = expires_at ? ` until ${toSeconds(expires_at)}` : '';
  const now = `${name} ${version} is ${status}${until}.`;
  if (kind === 'done') return toOneLine(now);
  const who = by === null ? 'Somebody else' : by;
  return toOneLine(`${who} has decided first: ${now} Nothing was changed.`);
};
