import type { PackageDetail } from '../../shared/schemas/package.ts';
import { toSeconds } from './happenings.ts';

type Decided = Pick<PackageDetail, 'status' | 'previous'>;

/** The decision that is in force no more, on one line; null if there was none. */
export const describePrevious = ({ status, previous }: Decided): string | null => {
  if (!previous) return null;
  const by = previous.by === null ? '' : ` by ${previous.by}`;
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

/** A package version for people. */
export const presentPackage = (detail: PackageDetail): object => ({
  ...detail,
  expires_at: describeExpiry(detail, Date.now()),
  previous: describePrevious(detail),
});
