import type { PackageDetail } from '../../api/schemas/package.ts';
import {
  type FactsSummary,
  findWithdrawal,
  forgetRepublished,
  noWithdrawal,
  type Withdrawal,
} from '../../domain/facts/summary.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { Status } from '../../domain/review/status.ts';
import type { Slot } from '../../domain/vulnerabilities/scan-source.ts';
import { type ScanStanding, unscanned } from '../../domain/vulnerabilities/scan-summary.ts';
import { batchGet, getItem, type ReadOptions } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import {
  type Guard,
  isAsSeen,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import type { PackageItem } from '../packages/package-item.ts';

/** What follows from a version, and is written with it. */
interface StandingFields {
  readonly status: Status;
  /** ISO 8601. */
  readonly submitted_at: string;
  readonly submitted_by: string | null;
  /** As often as the version was decided. */
  readonly revision: number;
  readonly expires_at: string | null;
  readonly license: string | null;
  readonly reason: string | null;
  /** The digest of the facts that package managers are served by; null where they are not. */
  readonly pinned: string | null;
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
  /** What its origin says; null where that was not asked yet. */
  readonly facts: FactsSummary | null;
  /** When that is to be asked next, ISO 8601: the time of its row among those to be asked. */
  readonly asks_at: string;
  /** How often in a row it could not be asked for reasons that may pass; absent: never. */
  readonly asking_failures?: number;
  /** What the decision in force knew that the publisher had taken back, or advises against. */
  readonly known_withdrawal: Withdrawal;
  /** At which count of what became known the policy looked at it last; null where it never did. */
  readonly judged: number | null;
  /** The rule of the policy that leaves it to a person; null where none does. */
  readonly held_by: string | null;
  /** When the policy looks at it again though nothing became known, ISO 8601; null where it need not. */
  readonly judges_at: string | null;
  /** The label of the token that it was submitted with, as the version says. */
  readonly submitter: string | null;
}

export const headsTable = defineTable<Head>('reviews');
const keyedHeadsTable = defineTable<Head & { readonly v: string }>('reviews');

/** Where a head stands among what is kept of its version. */
export const headKey = 'head';

export const toHeadKey = (id: PackageId) => ({ v: toVersionKey(id), k: headKey });

/** A version without its head: nothing is known of what stands for or against it, so nobody can decide on it. */
export class HeadMissingError extends Error {
  override readonly name = 'HeadMissingError';

  constructor({ ecosystem, name, version }: PackageId) {
    super(
      `${ecosystem} package ${name} ${version} has no head in the table reviews: run the integrity check`,
    );
  }
}

/** Whether what was read says what every head says: an item may have been damaged. */
export const isWhole = ({ status, slots }: Head): boolean =>
  Boolean(status) && Array.isArray(slots);

/** Whether a head says of its version where it stands, and that it was never scanned. */
export const isBare = (head: Head): boolean =>
  isWhole(head) && head.scans === 0 && head.slots.length === 0;

/** The head of a version; undefined where it is not there, or not whole. */
export const findHead = async (
  id: PackageId,
  options: ReadOptions = {},
): Promise<Head | undefined> => {
  const head = await getItem(headsTable, toHeadKey(id), options);
  return head && isWhole(head) ? head : undefined;
};

/** The heads of many versions, by the versions' keys; without those that are not there, or not whole. */
export const findHeads = async (
  ids: readonly PackageId[],
  options: ReadOptions = {},
): Promise<ReadonlyMap<string, Head>> => {
  const stored = await batchGet(keyedHeadsTable, ids.map(toHeadKey), options);
  return new Map(stored.filter(isWhole).map((head) => [head.v, head]));
};

/** @throws {HeadMissingError} where it is not there, or not whole */
export const readHead = async (id: PackageId): Promise<Head> => {
  const head = await findHead(id);
  if (!head) throw new HeadMissingError(id);
  return head;
};

/** What a head says of where its version stands. */
export const toStanding = (
  {
    status,
    submitted_at,
    submitted_by,
    expires_at,
    license,
    reason,
    pinned = null,
  }: PackageDetail & Pick<PackageItem, 'pinned'>,
  revision: number,
): StandingFields => ({
  ...{ status, submitted_at, submitted_by, revision },
  ...{ expires_at, license, reason, pinned },
});

/** What a head says of a version of which neither its origin nor the policy was asked. */
export const unasked = {
  facts: null,
  known_withdrawal: noWithdrawal,
  judged: null,
  held_by: null,
  judges_at: null,
} as const satisfies Partial<Head>;

/** The head of a version that was just submitted. */
export const putNewHead = (detail: PackageDetail, { asksAt }: { readonly asksAt: string }): Write =>
  putItem(headsTable, {
    ...toHeadKey(detail),
    ...toStanding(detail, 0),
    at: detail.submitted_at,
    evidence: 0,
    scans: 0,
    ...unscanned,
    attention: null,
    ...unasked,
    asks_at: asksAt,
    submitter: detail.submitted_token_label,
  });

/** More became known of a version than a decision had seen. */
export class EvidenceMovedError extends Error {
  override readonly name = 'EvidenceMovedError';
}

/** Holds while nothing more became known, nobody decided, and these fields did not change, since a head was read. */
const isAsRead = (head: Head, fields: readonly (keyof Head)[] = []): Guard<Head> => ({
  ...isAsSeen(head, ['evidence', 'revision', ...fields]),
  refuse: () => new EvidenceMovedError('Something more became known meanwhile'),
});

/** Follows a change of where the version stands, unless more became known than the head that was seen says. */
export const moveHead = (
  seen: Head,
  {
    detail,
    pinned,
    revision,
    at,
    attention,
  }: {
    readonly detail: PackageDetail;
    readonly pinned: string | null;
    readonly revision: number;
    readonly at: string;
    readonly attention: string | null;
  },
): Write =>
  updateItem(headsTable, toHeadKey(detail), {
    change: setFields({
      ...toStanding({ ...detail, pinned }, revision),
      ...{ at, attention, facts: forgetRepublished(seen.facts) },
      known_withdrawal: findWithdrawal(seen.facts),
      // Rules look at what is pending.
      ...{ held_by: null, judges_at: null },
    }),
    guard: isAsRead(seen),
  });

/** What of a head follows from scans, and what was accepted. */
type ScanFields = ScanStanding & Pick<Head, 'at' | 'scans' | 'attention'>;

/** What its origin says, and when that is asked again. */
export type OriginFields = Pick<Head, 'facts' | 'asks_at' | 'asking_failures'> & {
  /** The facts that package managers are served by from now on; as before, if not given. */
  readonly pinned?: string;
};

/**
 * Follows what became known, unless something else did meanwhile, or somebody decided: whoever is about to looks again.
 * What the origin says is left as it is, if it is not given: when it is asked changes without anything becoming known.
 */
export const noteEvidence = (
  id: PackageId,
  seen: Head,
  fields: ScanFields,
  origin?: OriginFields,
): Write => {
  const { slots, counts, accepted, at, scans, attention } = fields;
  return updateItem(headsTable, toHeadKey(id), {
    change: setFields({
      ...{ slots, counts, accepted, at, scans, attention },
      ...origin,
      evidence: seen.evidence + 1,
    }),
    guard: isAsRead(seen, origin ? ['asks_at'] : []),
  });
};

/** Notes when the origin was asked, and is asked again: nothing else follows where it said what it had said before. */
export const noteAsking = (
  id: PackageId,
  seen: Pick<Head, 'asks_at'>,
  fields: Pick<Head, 'asks_at'> & Partial<Pick<Head, 'facts' | 'asking_failures'>>,
): Write =>
  updateItem(headsTable, toHeadKey(id), {
    change: setFields({ ...fields }),
    guard: {
      ...isAsSeen(seen, ['asks_at']),
      refuse: () => new EvidenceMovedError('The origin was asked meanwhile'),
    },
  });

/** Notes that a scan found what was known: nothing follows from it but when that was. */
export const confirmSlots = (id: PackageId, seen: Head, slots: readonly Slot[]): Write =>
  updateItem(headsTable, toHeadKey(id), {
    change: setFields({ slots }),
    guard: isAsRead(seen),
  });

/** Notes what the policy made of a version that it left as it is, unless that moved meanwhile. */
export const noteJudged = (
  id: PackageId,
  seen: Head,
  fields: Pick<Head, 'held_by' | 'judges_at'>,
): Write =>
  updateItem(headsTable, toHeadKey(id), {
    change: setFields({ ...fields, judged: seen.evidence }),
    guard: isAsRead(seen),
  });

/** Has the policy look at a version again, unless it did meanwhile. */
export const forgetJudged = (id: PackageId, seen: Head): Write =>
  updateItem(headsTable, toHeadKey(id), {
    change: setFields({ judged: null, judges_at: null }),
    guard: {
      ...isAsSeen(seen, ['judges_at', 'revision']),
      refuse: () => new EvidenceMovedError('The policy looked at it meanwhile'),
    },
  });
