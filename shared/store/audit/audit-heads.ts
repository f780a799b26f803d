import { isDeepStrictEqual } from 'node:util';
import type { ScanEvidence } from '../../domain/evidence.ts';
import { runInParallel } from '../../in-parallel.ts';
import { listRecords } from '../decisions/records.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isAsRead } from '../packages/write-version.ts';
import { batchGet, getItem } from '../read.ts';
import { type Head, headsTable, toHeadKey, toStanding } from '../reviews/heads.ts';
import { findLatestFinishedScan } from '../scans/scans.ts';
import { checkItem, isAsSeen, putItem } from '../write.ts';
import type { AuditContext } from './findings.ts';
import { pickVersionKey } from './mend-version.ts';
import { readSteadily } from './read-steadily.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const parallelReads = 8;

/** What a head is judged by, besides its version. */
interface HeadEvidence {
  readonly head: Head | undefined;
  readonly scan: ScanEvidence | undefined;
}

/** Holds while nothing more became known of a version than its head says: what else changes it changes its version, too. */
const isHeadAsSeen = (head: Head | undefined) => isAsSeen(head, ['v', 'evidence']);

/** When a version was last submitted or decided, as far as it says so itself. */
const findLastMoment = (version: PackageItem): string => {
  const { submitted_at, approved_at, rejected_at, previous } = version;
  return approved_at ?? rejected_at ?? previous?.at ?? submitted_at;
};

/** Whether a head says of its version what it must. */
const isRight = (version: PackageItem, { head, scan }: HeadEvidence): boolean => {
  if (!head) return false;
  const {
    v: _,
    k: __,
    at,
    evidence,
    scan: known,
    ...standing
  } = { ...toHeadKey(version), ...head };
  return (
    isDeepStrictEqual(standing, toStanding(version, version.revision)) &&
    isDeepStrictEqual(known, scan ?? null) &&
    typeof evidence === 'number' &&
    typeof at === 'string' &&
    at >= findLastMoment(version)
  );
};

const readEvidence = async (version: PackageItem): Promise<HeadEvidence> => {
  // In this order: a scan that comes later raises the evidence of the head that was seen.
  const head = await getItem(headsTable, toHeadKey(version));
  return { head, scan: await findLatestFinishedScan(version) };
};

/** Puts a head that says what it must, unless its version was decided or scanned meanwhile. */
const putHead = async (
  version: PackageItem,
  { head, scan }: HeadEvidence,
  { deadline }: AuditContext,
): Promise<boolean> => {
  const [record] = await listRecords(version, { count: 1 });
  const last = findLastMoment(version);
  const item = {
    ...toHeadKey(version),
    ...toStanding(version, version.revision),
    // Records are later than each other, also those that a restore of the version took back.
    at: record && record.at > last ? record.at : last,
    // Whoever is about to decide looks again.
    evidence: (typeof head?.evidence === 'number' ? head.evidence : 0) + 1,
    scan: scan ?? null,
  };
  return transactUnlessChanged(
    [
      checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
      putItem(headsTable, item, isHeadAsSeen(head)),
    ],
    deadline,
  );
};

/** Judges a head that looked wrong, and mends it: was its version only decided or scanned between two reads? */
const auditHead = async (doubtful: PackageItem, context: AuditContext): Promise<void> => {
  const steady = await readSteadily(doubtful, () => readEvidence(doubtful), context);
  if (!steady?.version || isRight(steady.version, steady.kept)) return;
  const { version, kept } = steady;
  const { ecosystem, name } = version;
  context.tally.find('wrong_head', `${ecosystem} ${name} ${version.version}`);
  if (context.repair && (await putHead(version, kept, context))) context.tally.repair(1);
};

/** Compares the heads of some versions with the versions and with their scans. */
export const auditHeads = async (
  versions: readonly PackageItem[],
  context: AuditContext,
): Promise<void> => {
  const stored = await batchGet(headsTable, versions.map(toHeadKey));
  const heads = new Map(stored.map((head) => [{ v: '', ...head }.v, head]));
  const looksRight = await runInParallel(versions, parallelReads, async (version) => {
    const head = heads.get(toHeadKey(version).v);
    return isRight(version, { head, scan: await findLatestFinishedScan(version) });
  });
  for (const version of versions.filter((_, at) => !looksRight[at])) {
    await auditHead(version, context);
  }
};
