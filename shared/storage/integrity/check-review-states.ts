import { isDeepStrictEqual } from 'node:util';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { digestFindings, type Slot } from '../../domain/vulnerabilities/scan-source.ts';
import {
  countAt,
  listEntries,
  type ScanStanding,
  summarize,
} from '../../domain/vulnerabilities/scan-summary.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { listRecords } from '../decisions/records.ts';
import { batchGet } from '../dynamodb/read.ts';
import { checkItem, isAsSeen, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isAsRead } from '../packages/write-version.ts';
import { makeAttentionRow, moveAttention } from '../reviews/attention.ts';
import { factsDueTable, makeFactsDue, putFactsDue, toFactsDueKey } from '../reviews/facts-due.ts';
import { makePolicyRow, policyDueTable } from '../reviews/policy-due.ts';
import { deleteFindings, putFindings } from '../reviews/review-file.ts';
import {
  type Head,
  headsTable,
  isBare,
  toHeadKey,
  toStanding,
  unasked,
} from '../reviews/review-state.ts';
import { findScanned } from '../scans/scans.ts';
import { type HeadEvidence, readHeadEvidence } from './head-evidence.ts';
import { hasRest, pickRest } from './head-rest.ts';
import { readSteadily } from './read-steadily.ts';
import { type RebuiltSlots, rebuildSlots } from './rebuild-slots.ts';
import { pickVersionKey } from './repair-version.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const parallelReads = 8;

/** When a version was last submitted or decided, as far as it says so itself. */
const findLastMoment = (version: PackageItem): string => {
  const { submitted_at, approved_at, rejected_at, previous } = version;
  return approved_at ?? rejected_at ?? previous?.at ?? submitted_at;
};

/** A standing as it is at a moment: what ran out by then counts. */
const settle = (standing: ScanStanding, now: Date) => ({
  counts: countAt(standing, now),
  accepted: standing.accepted.filter(({ until }) => Date.parse(until) > now.getTime()),
});

/** Whether the slots hold together with what they found, and with the latest scan. */
const areSlotsRight = ({ slots, scans }: Head, { file, scans: latest }: HeadEvidence): boolean => {
  const finished = slots.filter((slot) => slot.finished);
  return (
    scans === latest &&
    // Where it is not there, it may have been retired: then all scans are gone through.
    (latest === 0 || slots.some(({ number }) => number === latest)) &&
    file.findings.size === finished.length &&
    finished.every(({ id, finished: last }) => {
      const found = file.findings.get(id);
      return found !== undefined && digestFindings(found) === last?.digest;
    })
  );
};

const makeRow = (
  version: PackageItem,
  head: Head,
  { now, scanPolicy }: Pick<CheckContext, 'now' | 'scanPolicy'>,
) => makeAttentionRow(version, head, { now, policy: scanPolicy });

/** Whether a head says of its version, and of all that is known of it, what it must. */
const isRight = (
  version: PackageItem,
  evidence: HeadEvidence,
  context: CheckContext,
  areRight = areSlotsRight,
): boolean => {
  const { head } = evidence.file;
  if (!head || !Array.isArray(head.slots) || !Array.isArray(head.accepted)) return false;
  if (!hasRest(head)) return false;
  const { v: _, k: __, ...said } = { ...toHeadKey(version), ...head };
  const { at, evidence: count, slots, counts, accepted, scans, attention, ...others } = said;
  const {
    facts: _facts,
    known_withdrawal: _known,
    judged: _judged,
    held_by: _held,
    ...more
  } = others;
  const { asks_at, asking_failures: _failures, judges_at, submitter, ...standing } = more;
  const { now } = context;
  const known = summarize(slots, listEntries({ ...evidence.file, slots }), now);
  const row = makeRow(version, head, context);
  return (
    isDeepStrictEqual(standing, toStanding(version, version.revision)) &&
    typeof count === 'number' &&
    typeof at === 'string' &&
    at >= findLastMoment(version) &&
    areRight(head, evidence) &&
    isDeepStrictEqual(settle({ slots, counts, accepted }, now), settle(known, now)) &&
    submitter === version.submitted_token_label &&
    typeof asks_at === 'string' &&
    isDeepStrictEqual(evidence.asking, makeFactsDue(version, asks_at)) &&
    isDeepStrictEqual(evidence.judging, makePolicyRow(version, judges_at)) &&
    attention === (row?.k ?? null) &&
    isDeepStrictEqual(evidence.attention, row)
  );
};

/** Holds while nothing more became known of a version, and no rule looked at it: what else changes it changes its version, too. */
const isHeadAsSeen = (head: Head | undefined) =>
  isAsSeen(head, ['v', 'evidence', 'asks_at', 'judged', 'judges_at']);

/** Slots as the scans say; what only the head knows is kept. */
const restoreSlots = (rebuilt: RebuiltSlots, head: Head | undefined): Slot[] => {
  const known = Array.isArray(head?.slots) ? head.slots : [];
  return rebuilt.slots.map((slot) => {
    const before = known.find(({ id, number }) => id === slot.id && number === slot.number);
    const { confirmed_at, failures } = before ?? slot;
    return { ...slot, confirmed_at: confirmed_at ?? slot.confirmed_at, failures };
  });
};

/** Puts a head that says what it must, unless its version was decided or scanned meanwhile. */
const putHead = async (
  version: PackageItem,
  { file }: HeadEvidence,
  rebuilt: RebuiltSlots,
  context: CheckContext,
): Promise<boolean> => {
  const { head } = file;
  const [record] = await listRecords(version, { count: 1 });
  const last = findLastMoment(version);
  const slots = restoreSlots(rebuilt, head);
  const entries = listEntries({ slots, findings: rebuilt.findings, acceptances: file.acceptances });
  const known = typeof head?.attention === 'string' ? head.attention : null;
  const item: Head = {
    ...toStanding(version, version.revision),
    ...summarize(slots, entries, context.now),
    // Records are later than each other, also those that a restore of the version took back.
    at: record && record.at > last ? record.at : last,
    // Whoever is about to decide looks again.
    evidence: (typeof head?.evidence === 'number' ? head.evidence : 0) + 1,
    scans: rebuilt.scans,
    attention: known,
    // What is not there any more is asked for anew.
    ...unasked,
    ...(head && hasRest(head) && pickRest(head)),
    submitter: version.submitted_token_label,
    asks_at: typeof head?.asks_at === 'string' ? head.asks_at : context.now.toISOString(),
  };
  const row = makeRow(version, item, context);
  const judging = makePolicyRow(version, item.judges_at);
  const stray = [...file.findings.keys()].filter((slotId) => !rebuilt.findings.has(slotId));
  return transactUnlessChanged(
    [
      checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
      putItem(
        headsTable,
        { ...toHeadKey(version), ...item, attention: row?.k ?? null },
        isHeadAsSeen(head),
      ),
      ...[...rebuilt.findings].map(([slotId, found]) => putFindings(version, slotId, found)),
      ...stray.map((slotId) => deleteFindings(version, slotId)),
      putFactsDue(version, item.asks_at),
      ...(judging ? [putItem(policyDueTable, judging)] : []),
      ...moveAttention(known, row),
    ],
    context.deadline,
  );
};

/** Whether the slots are those that all scans come to. */
const areSlotsAs =
  (rebuilt: RebuiltSlots) =>
  (head: Head, { file }: HeadEvidence): boolean =>
    head.scans === rebuilt.scans &&
    isDeepStrictEqual(head.slots, restoreSlots(rebuilt, head)) &&
    isDeepStrictEqual(new Map(file.findings), new Map(rebuilt.findings));

/** Judges a head that looked wrong, and mends it: was its version only decided or scanned between two reads? */
const checkHead = async (doubtful: PackageItem, context: CheckContext): Promise<void> => {
  const read = async () => ({
    evidence: await readHeadEvidence(doubtful),
    rebuilt: await rebuildSlots(doubtful),
  });
  const steady = await readSteadily(doubtful, read, context);
  if (!steady?.version) return;
  const { version, kept } = steady;
  const { evidence, rebuilt } = kept;
  if (isRight(version, evidence, context, areSlotsAs(rebuilt))) return;
  const { ecosystem, name } = version;
  context.tally.find('wrong_review_state', `${ecosystem} ${name} ${version.version}`);
  if (context.repair && (await putHead(version, evidence, rebuilt, context))) {
    context.tally.repair(1);
  }
};

/** Compares the heads of some versions with the versions, their scans, and what was accepted. */
export const checkHeads = async (
  versions: readonly PackageItem[],
  context: CheckContext,
): Promise<void> => {
  const stored = await batchGet(headsTable, versions.map(toHeadKey));
  const heads = new Map(stored.map((head) => [{ v: '', ...head }.v, head]));
  const askings = await batchGet(
    factsDueTable,
    versions.flatMap((version) => {
      const { asks_at } = heads.get(toHeadKey(version).v) ?? {};
      return typeof asks_at === 'string' ? [toFactsDueKey(version, asks_at)] : [];
    }),
  );
  const askingByKey = new Map(askings.map((row) => [row.k, row]));
  const scanned = await findScanned(versions);
  const looksRight = await runInParallel(versions, parallelReads, async (version) => {
    const head = heads.get(toHeadKey(version).v);
    // Most versions have no scans, which a few reads of many tell; what was left behind is found by its own key.
    const isWithout =
      head &&
      isBare(head) &&
      head.attention === null &&
      head.judges_at === null &&
      !scanned.has(toVersionKey(version));
    const file = { head, findings: new Map(), acceptances: [] };
    const evidence = isWithout
      ? {
          file,
          scans: 0,
          attention: undefined,
          judging: undefined,
          asking: askingByKey.get(toFactsDueKey(version, head.asks_at).k),
        }
      : await readHeadEvidence(version);
    return isRight(version, evidence, context);
  });
  for (const version of versions.filter((_, at) => !looksRight[at])) {
    await checkHead(version, context);
  }
};
