import type {
  CheckAnswer,
  CheckedPackage,
  CheckReason,
  CheckStatus,
} from '../../api/schemas/check.ts';
import type { CheckRequest } from '../../api/schemas/check-request.ts';
import type { PinnedFiles } from '../../domain/facts/pinned-files.ts';
import { maxNearest } from '../../domain/packages/check-limits.ts';
import { findNearestVersion } from '../../domain/packages/nearest-version.ts';
import { isOwnPackage, type OwnPackages } from '../../domain/packages/own-packages.ts';
import { type PackageId, toPackageKey, toVersionKey } from '../../domain/packages/package-id.ts';
import { describeWait } from '../../domain/policy/next-evaluation.ts';
import { listAwaitedByRules, type OwnInquiries } from '../../domain/policy/readiness.ts';
import { findReviewProgress } from '../../domain/policy/review-waits.ts';
import { hasExpired, statusAt } from '../../domain/review/expiry.ts';
import { explainFreeze, type Freeze, isFrozen } from '../../domain/review/freeze.ts';
import { byEcosystem, type Ecosystem, fileEcosystems } from '../../ecosystems/ecosystem.ts';
import { findNewestServed, readFreeze } from '../../storage/reviews/freeze.ts';
import { findStoredReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { groupBy } from '../../util/group-by.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { findLicenseEvidence, type LicenseLookup } from '../licensing/find-license-evidence.ts';
import { type ApprovalRules, weighVersion } from '../review/judge-version.ts';
import { addFileHosts, checkContent, findContents, type Origins } from './check-content.ts';
import { findTagDigest, findTagPins, limitDigests, listDecisive, settleImage } from './images.ts';
import { type AskedPackage, readAskedPackage } from './requested-package.ts';

/** Number of approved versions that are searched for the nearest one; they take one storage call. */
const versionsLookedAt = 100;

/** Each read reserves 128 units of the read budget: more at once would leave later names without an answer. */
const parallelReads = 4;

/** Check result of a version, before `allowed` is decided. */
type Judged = Omit<CheckedPackage, 'allowed'>;

const toUnknown = (
  { ecosystem, name, version }: PackageId | Record<keyof PackageId, null>,
  reasons: readonly CheckReason[],
): Judged => ({
  ...{ ecosystem, name, version },
  ...{ status: 'unknown', expires_at: null },
  reasons: [...reasons],
  ...{ rule: null, waits_for: [], waits_until: null },
});

const nobody = { ecosystem: null, name: null, version: null };

const notSubmitted: CheckReason = {
  code: 'not_submitted',
  message: 'Not in the registry.',
};

/** One of the organisation's own packages is allowed without a review. */
const ownPackage: CheckReason = {
  code: 'own_package',
  message: "One of your organisation's own packages: it needs no review.",
};

const explainStatus = (
  head: ReviewState,
  ecosystem: Ecosystem,
  { inquiries, freeze, now }: Pick<CheckContext, 'inquiries' | 'freeze' | 'now'>,
): CheckReason[] => {
  if (hasExpired(head, now)) {
    return [{ code: 'approval_expired', message: `Approval expired ${head.expires_at}.` }];
  }
  if (head.status === 'pending' && head.revision > 0) {
    // Only an expired approval returns a version to pending.
    const message = 'Approval expired, pending again.';
    return [{ code: 'approval_expired', message }];
  }
  if (head.status === 'pending') {
    const awaited = listAwaitedByRules({ ecosystem, ...head }, inquiries);
    const message = `Pending: it ${describeWait(head, { awaited, freeze })}.`;
    return [{ code: 'awaiting_review', message }];
  }
  if (head.status === 'approved') return [];
  const message = head.reason === null ? 'Rejected.' : `Rejected: ${head.reason}`;
  return [{ code: 'rejected', message }];
};

/** Returns the issues of a version. For a decided version: only issues that would block an approval today. */
const listBlockingIssues = (
  head: ReviewState,
  status: CheckStatus,
  { licenseOf, rules, now }: { licenseOf: LicenseLookup; rules: ApprovalRules; now: Date },
): CheckReason[] =>
  weighVersion(head, licenseOf(head), rules, now)
    .issues.filter(({ blocks }) => blocks || status === 'pending')
    .map(({ code, message }) => ({ code, message }));

/** Returns the reason why a freeze refuses a version. It does not refuse own packages, which need no review. */
const listFrozen = (
  id: PackageId,
  head: ReviewState | undefined,
  freeze: Freeze | undefined,
): CheckReason[] => {
  if (!isFrozen(freeze, id, head)) return [];
  const sentence = explainFreeze(freeze, id);
  const message = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1).replace(/[.\s]+$/, '')}.`;
  return [{ code: 'frozen', message }];
};

interface CheckContext {
  readonly heads: ReadonlyMap<string, ReviewState>;
  /** Keys of versions whose status is unreadable. */
  readonly damaged: ReadonlySet<string>;
  readonly contents: ReadonlyMap<string, PinnedFiles>;
  readonly origins: Origins;
  readonly own: readonly OwnPackages[];
  readonly inquiries: OwnInquiries;
  readonly licenseOf: LicenseLookup;
  readonly rules: ApprovalRules;
  readonly freeze: Freeze | undefined;
  readonly now: Date;
}

const checkReview = (id: PackageId, context: CheckContext): Judged => {
  const head = context.heads.get(toVersionKey(id));
  if (!head) {
    const isOwn = isOwnPackage(context.own, id) && !context.damaged.has(toVersionKey(id));
    if (isOwn) return toUnknown(id, [ownPackage]);
    return toUnknown(id, [...listFrozen(id, head, context.freeze), notSubmitted]);
  }
  const { ecosystem, name, version } = id;
  const { now } = context;
  const status = statusAt(head, now);
  return {
    ...{ ecosystem, name, version, status },
    expires_at: status === 'approved' ? head.expires_at : null,
    reasons: [
      ...listFrozen(id, head, context.freeze),
      ...explainStatus(head, ecosystem, context),
      ...listBlockingIssues(head, status, context),
    ],
    ...findReviewProgress({ ...head, ecosystem, status }, context),
  };
};

/** Reasons that always forbid a version: the installed content may differ from the reviewed content, or a freeze refuses it. */
const unallowable: readonly CheckReason['code'][] = [
  'other_content',
  'other_source',
  'unpinned',
  'frozen',
];

/** No host is known to have own packages. */
const noOrigins: Origins = byEcosystem(fileEcosystems, () => ({ index_hosts: [], file_hosts: [] }));

const checkOne = (
  asked: AskedPackage,
  context: CheckContext,
  allow: ReadonlySet<CheckStatus>,
): CheckedPackage => {
  const judged =
    'fault' in asked ? toUnknown(nobody, [asked.fault]) : checkReview(asked.id, context);
  const isOwn = judged.reasons.includes(ownPackage);
  const origins = isOwn ? noOrigins : context.origins;
  const { reasons, ...content } =
    'fault' in asked ? { reasons: [] } : checkContent(asked, context.contents, origins);
  const all = [...reasons, ...judged.reasons];
  const isForbidden = all.some(({ code }) => unallowable.includes(code));
  const allowed = (isOwn || allow.has(judged.status)) && !isForbidden;
  const pinned =
    'id' in asked && judged.status === 'approved' && content.content !== 'same'
      ? findTagDigest(asked, context.contents)
      : undefined;
  return {
    ...{ ...judged, ...content, allowed, reasons: all },
    ...(pinned !== undefined && { pinned_digest: pinned }),
  };
};

/** Order in which refused versions get an alternative: users of a rejected version need one most. */
const worstFirst: readonly CheckStatus[] = ['rejected', 'pending', 'unknown'];

/** Returns the packages, with the nearest approved version for the worst refused ones. Each name is looked up once. */
const addNearest = async (
  packages: readonly CheckedPackage[],
  moment: Pick<CheckContext, 'now' | 'freeze'>,
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
    const approved = first ? await findNewestServed(first.id, moment, versionsLookedAt) : [];
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
 * Returns the status of many versions at a given time, and whether each is allowed. Unsubmitted and invalid versions are
 * `unknown`, so one invalid version does not fail the whole request. Reads are eventually consistent.
 */
export const checkPackages = async (
  { packages, allow }: CheckRequest,
  {
    rules,
    origins,
    own,
    inquiries,
  }: {
    readonly rules: ApprovalRules;
    readonly origins: Origins;
    readonly own: readonly OwnPackages[];
    readonly inquiries: OwnInquiries;
  },
  now: Date,
): Promise<CheckAnswer> => {
  const sent = limitDigests(packages.map(readAskedPackage));
  const versions = sent.flatMap((one) => ('id' in one ? [one] : []));
  const [{ heads, damaged }, freeze] = await Promise.all([
    findStoredReviewStates(versions.flatMap(listDecisive), { eventual: true }),
    readFreeze(),
  ]);
  const [licenseOf, hashed] = await Promise.all([
    findLicenseEvidence([...heads.values()]),
    findContents(versions, heads),
  ]);
  const contents = new Map([...(await findTagPins(versions, heads)), ...hashed]);
  const asked = sent.map((one) =>
    'id' in one ? settleImage(one, { heads, damaged, pins: contents }) : one,
  );
  const context = {
    heads,
    damaged,
    contents,
    origins: addFileHosts(origins, contents),
    licenseOf,
    own,
    inquiries,
    rules,
    freeze,
    now,
  };
  const allowed: ReadonlySet<CheckStatus> = new Set([...allow, 'approved']);
  const checked = asked.map((one) => checkOne(one, context, allowed));
  return {
    allowed: checked.every((one) => one.allowed),
    counts: countStatuses(checked),
    packages: [...(await addNearest(checked, context))],
    origins: context.origins,
  };
};
