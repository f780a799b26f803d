import { type PackageId, toVersionKey } from '../../domain/package-id.ts';
import type { Slot } from '../../domain/scans/slot.ts';
import { type ScanStanding, unscanned } from '../../domain/scans/standing.ts';
import type { Status } from '../../domain/status.ts';
import type { PackageDetail } from '../../schemas/package.ts';
import { getItem } from '../read.ts';
import { defineTable } from '../table.ts';
import { type Guard, isAsSeen, putItem, setFields, updateItem, type Write } from '../write.ts';

/** What follows from a version, and is written with it. */
interface StandingFields {
  readonly status: Status;
  /** As often as the version was decided. */
  readonly revision: number;
  readonly expires_at: string | null;
  readonly license: string | null;
  readonly reason: string | null;
}

/**
 * The short of a version that reviews work with: where it stands, and what is known for and against it. One item of one
 * read, where the version itself stands in four indexes.
 */
export interface Head extends StandingFields, ScanStanding {
  /** When the version was last submitted, decided or expired, ISO 8601: each record of it is later than the one before. */
  readonly at: string;
  /** Counts what became known: a decision is made on what was seen, or again. */
  readonly evidence: number;
  /** How many scans there are: the number of the newest. */
  readonly scans: number;
  /** The key of its row among what needs attention; null where it has none. */
  readonly attention: string | null;
}

export const headsTable = defineTable<Head>('reviews');

/** Where a head stands among what is kept of its version. */
export const headKey = 'head';

export const toHeadKey = (id: PackageId) => ({ v: toVersionKey(id), k: headKey });

/** A version without its head: nothing is known of what stands for or against it, so nobody can decide on it. */
export class HeadMissingError extends Error {
  override readonly name = 'HeadMissingError';

  constructor({ ecosystem, name, version }: PackageId) {
    super(
      `${ecosystem} package ${name} ${version} has no head in the table reviews: run the audit`,
    );
  }
}

/** Whether what was read says what every head says: an item may have been damaged. */
export const isWhole = ({ status, slots }: Head): boolean =>
  Boolean(status) && Array.isArray(slots);

/** Whether a head says of its version where it stands, and that it was never scanned. */
export const isBare = (head: Head): boolean =>
  isWhole(head) && head.scans === 0 && head.slots.length === 0;

/** @throws {HeadMissingError} where it is not there, or not whole */
export const readHead = async (id: PackageId): Promise<Head> => {
  const head = await getItem(headsTable, toHeadKey(id));
  if (!head || !isWhole(head)) throw new HeadMissingError(id);
  return head;
};

/** What a head says of where its version stands. */
export const toStanding = (
  { status, expires_at, license, reason }: PackageDetail,
  revision: number,
): StandingFields => ({ status, revision, expires_at, license, reason });

/** The head of a version that was just submitted. */
export const putNewHead = (detail: PackageDetail): Write =>
  putItem(headsTable, {
    ...toHeadKey(detail),
    ...toStanding(detail, 0),
    at: detail.submitted_at,
    evidence: 0,
    scans: 0,
    ...unscanned,
    attention: null,
  });

/** More became known of a version than a decision had seen. */
export class EvidenceMovedError extends Error {
  override readonly name = 'EvidenceMovedError';
}

/** Holds while nothing more became known, and nobody decided, since a head was read. */
const isAsRead = (head: Head): Guard<Head> => ({
  ...isAsSeen(head, ['evidence', 'revision']),
  refuse: () => new EvidenceMovedError('Something more became known meanwhile'),
});

/** Follows a change of where the version stands, unless more became known than the head that was seen says. */
export const moveHead = (
  seen: Head,
  {
    detail,
    revision,
    at,
    attention,
  }: {
    readonly detail: PackageDetail;
    readonly revision: number;
    readonly at: string;
    readonly attention: string | null;
  },
): Write =>
  updateItem(headsTable, toHeadKey(detail), {
    change: setFields({ ...toStanding(detail, revision), at, attention }),
    guard: isAsRead(seen),
  });

/** What of a head follows from scans and what was accepted. */
export type ScanFields = ScanStanding & Pick<Head, 'at' | 'scans' | 'attention'>;

/** Follows what became known, unless something else did meanwhile, or somebody decided: whoever is about to looks again. */
export const noteEvidence = (id: PackageId, seen: Head, fields: ScanFields): Write => {
  const { slots, counts, accepted, at, scans, attention } = fields;
  return updateItem(headsTable, toHeadKey(id), {
    change: setFields({
      ...{ slots, counts, accepted, at, scans, attention },
      evidence: seen.evidence + 1,
    }),
    guard: isAsRead(seen),
  });
};

/** Notes that a scan found what was known: nothing follows from it but when that was. */
export const confirmSlots = (id: PackageId, seen: Head, slots: readonly Slot[]): Write =>
  updateItem(headsTable, toHeadKey(id), {
    change: setFields({ slots }),
    guard: isAsRead(seen),
  });
