import type { PackageDetail } from '../../shared/api/schemas/package.ts';
import { describeActor, describeSubmitter } from '../../shared/domain/tokens/describe-actor.ts';
import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { dayMs } from '../../shared/util/duration.ts';

type Decided = Pick<PackageDetail, 'status' | 'previous'>;

/** Describes the previous decision on one line; null without one. */
export const describePrevious = ({ status, previous }: Decided): string | null => {
  if (!previous) return null;
  const who = describeActor(previous);
  const by = who === null ? '' : ` by ${who}`;
  // Only the expiry of an approval makes a version pending again.
  const end = status === 'pending' ? ', expired' : '';
  const reason = previous.reason === null ? '' : `: ${previous.reason}`;
  return `${previous.status}${by} on ${dropMilliseconds(previous.at)}${end}${reason}`;
};

/** Describes when an approval expires, and in how many days; null if it does not expire. */
const describeExpiry = ({ expires_at }: PackageDetail, now: number): string | null => {
  if (!expires_at) return null;
  const days = Math.floor((Date.parse(expires_at) - now) / dayMs);
  const left = days === 1 ? 'in 1 day' : `in ${days} days`;
  return `${dropMilliseconds(expires_at)}, ${days < 1 ? 'within a day' : left}`;
};

/** Adds the label of the token to each person in the fields. */
const presentActors = ({
  submitted_token_label,
  approved_token_label,
  rejected_token_label,
  ...detail
}: PackageDetail) => ({
  ...detail,
  submitted_by: describeSubmitter({ by: detail.submitted_by, token_label: submitted_token_label }),
  approved_by: describeActor({ by: detail.approved_by, token_label: approved_token_label }),
  rejected_by: describeActor({ by: detail.rejected_by, token_label: rejected_token_label }),
});

/** Returns the fields that people see of a package version. */
export const presentPackage = (detail: PackageDetail): object => ({
  ...presentActors(detail),
  expires_at: describeExpiry(detail, Date.now()),
  previous: describePrevious(detail),
});
