import { hasExpired, statusAt } from '../domain/expiry.ts';
import { groupBy } from '../domain/group-by.ts';
import { findNearestVersion } from '../domain/nearest-version.ts';
import { type PackageId, toPackageKey, toVersionKey } from '../domain/package-id.ts';
import { explainPackageName, isPackageName } from '../domain/package-name.ts';
import { explainPackageVersion, isPackageVersion } from '../domain/package-version.ts';
import { purlTypes, readPurl } from '../domain/purl.ts';
import { runInParallel } from '../in-parallel.ts';
import { findLicenseEvidence, type LicenseLookup } from '../licensing/find-license-evidence.ts';
import {
  type CheckAnswer,
  type CheckedPackage,
  type CheckReason,
  type CheckRequest,
  type CheckStatus,
  maxNearest,
} from '../schemas/check.ts';
import { findNewestApproved } from '../store/packages/approved-versions.ts';
import { findHeads, type Head } from '../store/reviews/heads.ts';
import { type ApprovalRules, weighVersion } from './judge-version.ts';

/** Among so many of the approved versions of a package the nearest is looked for: one call. */
const versionsLookedAt = 100;

const parallelReads = 10;
const maxShown = 200;

type SentPackage = CheckRequest['packages'][number];

/** What a package that was sent means; else what is wrong with it. */
type Reading = { readonly id: PackageId } | { readonly fault: string };

const readPackageUrl = (text: string): Reading => {
  const purl = readPurl(text);
  const shown = text.slice(0, maxShown);
  if (!purl) {
    return { fault: `${shown} is no package URL of the types ${purlTypes.join(', ')}.` };
  }
  const { ecosystem, name } = purl;
  // A tag says nothing of what its digest names.
  const version = purl.digest ?? purl.version;
  if (version === undefined || !isPackageVersion(ecosystem, version)) {
    return { fault: `${shown} names no version that can be.` };
  }
  return { id: { ecosystem, name, version } };
};

const readPackage = (sent: SentPackage): Reading => {
  if (typeof sent === 'string') return readPackageUrl(sent);
  const { ecosystem, name, version } = sent;
  if (!isPackageName(ecosystem, name)) {
    return { fault: `The name must be ${explainPackageName(ecosystem)}.` };
  }
  if (!isPackageVersion(ecosystem, version)) {
    return { fault: `The version must be ${explainPackageVersion(ecosystem)}.` };
  }
  return { id: sent };
};

/** Where a version stands; whether that will do is another question. */
type Judged = Omit<CheckedPackage, 'allowed'>;

const toUnknown = (
  { ecosystem, name, version }: PackageId | Record<keyof PackageId, null>,
  reason: CheckReason,
): Judged => ({
  ...{ ecosystem, name, version },
  ...{ status: 'unknown', expires_at: null },
  reasons: [reason],
});

const nobody = { ecosystem: null, name: null, version: null };

const notSubmitted: CheckReason = {
  code: 'not_submitted',
  message: 'Nobody ever submitted it for review.',
};

const explainStatus = (head: Head, now: Date): CheckReason[] => {
  if (hasExpired(head, now)) {
    return [{ code: 'approval_expired', message: `Its approval ran out ${head.expires_at}.` }];
  }
  if (head.status === 'pending' && head.revision > 0) {
    // Nothing else returns there.
    const message = 'Its approval ran out, and it waits for another decision.';
    return [{ code: 'approval_expired', message }];
  }
  if (head.status === 'pending') {
    const held = head.held_by === null ? '' : `, held by the rule ${head.held_by}`;
    return [{ code: 'awaiting_review', message: `It waits for a decision${held}.` }];
  }
  if (head.status === 'approved') return [];
  const message = head.reason === null ? 'It is rejected.' : `It is rejected: ${head.reason}`;
  return [{ code: 'rejected', message }];
};

/** What is known against a version: of one that was decided on, what would have to be overridden today. */
const listObjections = (
  head: Head,
  status: CheckStatus,
  { licenseOf, rules, now }: { licenseOf: LicenseLookup; rules: ApprovalRules; now: Date },
): CheckReason[] =>
  weighVersion(head, licenseOf(head), rules, now)
    .objections.filter(({ blocks }) => blocks || status === 'pending')
    .map(({ code, message }) => ({ code, message }));

const checkOne = (
  id: PackageId,
  head: Head | undefined,
  context: { licenseOf: LicenseLookup; rules: ApprovalRules; now: Date },
): Judged => {
  if (!head) return toUnknown(id, notSubmitted);
  const { ecosystem, name, version } = id;
  const { now } = context;
  const status = statusAt(head, now);
  return {
    ...{ ecosystem, name, version, status },
    expires_at: status === 'approved' ? head.expires_at : null,
    reasons: [...explainStatus(head, now), ...listObjections(head, status, context)],
  };
};

/** From the worst on: who must not use what was rejected needs another one most. */
const worstFirst: readonly CheckStatus[] = ['rejected', 'pending', 'unknown'];

/** Says of the worst packages that are not allowed which approved version is nearest. Each name is looked up once. */
const addNearest = async (
  packages: readonly CheckedPackage[],
  now: Date,
): Promise<readonly CheckedPackage[]> => {
  const refused = packages
    .flatMap((one) => {
      const { ecosystem, name, version, allowed } = one;
      const isNamed = ecosystem !== null && name !== null && version !== null;
      return isNamed && !allowed ? [{ one, id: { ecosystem, name, version } }] : [];
    })
    .sort((a, b) => worstFirst.indexOf(a.one.status) - worstFirst.indexOf(b.one.status))
    .slice(0, maxNearest);
  const byName = groupBy(refused, ({ id }) => toPackageKey(id.ecosystem, id.name));
  const nearest = new Map<CheckedPackage, string | null>();
  await runInParallel([...byName.values()], parallelReads, async (versions) => {
    const [first] = versions;
    const approved = first ? await findNewestApproved(first.id, now, versionsLookedAt) : [];
    for (const { one, id } of versions) {
      nearest.set(one, findNearestVersion(id.ecosystem, id.version, approved) ?? null);
    }
  });
  return packages.map((one) => {
    const nearest_approved = nearest.get(one);
    return nearest_approved === undefined ? one : { ...one, nearest_approved };
  });
};

const countStatuses = (packages: readonly CheckedPackage[]): CheckAnswer['counts'] => {
  const counts = { approved: 0, pending: 0, rejected: 0, unknown: 0 };
  for (const { status } of packages) counts[status] += 1;
  return counts;
};

/**
 * Where many versions stand at a moment, and whether they may be used. One that was never submitted is `unknown`, and
 * so is one that cannot be: one that is wrong does not keep the others from being checked.
 */
export const checkPackages = async (
  { packages, allow }: CheckRequest,
  rules: ApprovalRules,
  now: Date,
): Promise<CheckAnswer> => {
  const readings = packages.map(readPackage);
  const ids = readings.flatMap((one) => ('id' in one ? [one.id] : []));
  const heads = await findHeads(ids, { eventual: true });
  const licenseOf = await findLicenseEvidence([...heads.values()]);
  const allowed: ReadonlySet<CheckStatus> = new Set([...allow, 'approved']);
  const checked = readings
    .map((one) =>
      'fault' in one
        ? toUnknown(nobody, { code: 'not_a_version', message: one.fault })
        : checkOne(one.id, heads.get(toVersionKey(one.id)), { licenseOf, rules, now }),
    )
    .map((one) => ({ ...one, allowed: allowed.has(one.status) }));
  return {
    allowed: checked.every((one) => one.allowed),
    counts: countStatuses(checked),
    packages: [...(await addNearest(checked, now))],
  };
};
