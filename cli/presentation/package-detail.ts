import type { PackageDetail } from '../../shared/api/schemas/package.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import { toSeconds } from './activity.ts';

type Decided = Pick<PackageDetail, 'status' | 'previous'>;

/** The decision that is in force no more, on one line; null if there was none. */
export const describePrevious = ({ status, previous }: Decided): string | null => {
  if (!previous) return null;
  const who = describeActor(previous);
  const by = who === null ? '' : ` by ${who}`;
  // Nothing else makes a version pending again.
  const end = status === 'pending' ? ', ran out' : '';
  const reason = previous.reason === null ? '' : `: ${previous.reason}`;
  return `${previous.status}${by} on ${toSeconds(previous.at)}${end}${reason}`;
};

const dayMs = 24 * 60 * 60_000;

/** Until when an approval holds, and for how long still; null if for ever. */
const describeExpiry = ({ expires_at }: PackageDetail, now: number): string | null => {
  if (!expires_at) return null;
  const days = Math.floor((Date.parse(expires_at) - now) / dayMs);
  const left = days === 1 ? 'in 1 day' : `in ${days} days`;
  return `${toSeconds(expires_at)}, ${days < 1 ? 'within a day' : left}`;
};

/** Who submitted and decided, each with the label of the token in the same line. */
const presentActors = ({
  submitted_token_label,
  approved_token_label,
  rejected_token_label,
  ...detail
}: PackageDetail) => ({
  ...detail,
  submitted_by: describeActor({ by: detail.submitted_by, token_label: submitted_token_label }),
  approved_by: describeActor({ by: detail.approved_by, token_label: approved_token_label }),
  rejected_by: describeActor({ by: detail.rejected_by, token_label: rejected_token_label }),
});

/** A package version for people. */
export const presentPackage = (detail: PackageDetail): object => ({
  ...presentActors(detail),
  expires_at: describeExpiry(detail, Date.now()),
  previous: describePrevious(detail),
});
