import { isDeepStrictEqual } from 'node:util';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { FindingKind, IntegrityPosition } from '../../api/schemas/integrity.ts';
import { RegistryError } from '../../domain/errors.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import type { RetryOptions } from '../../util/retry.ts';
import type { CatalogueLayout } from '../catalogue/layout.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { type Segment, scanPage } from '../dynamodb/read.ts';
import type { ItemKey, Table } from '../dynamodb/table.ts';
import { transact } from '../dynamodb/transact.ts';
import type { Write } from '../dynamodb/write.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { findVersion } from '../packages/write-version.ts';
import type { RowSums } from './row-sums.ts';
import type { UseSums } from './use-sums.ts';

/** Types and helpers of phases and checks. */

/** The settings and the state of one integrity check. */
export interface CheckContext {
  readonly repair: boolean;
  readonly layout: CatalogueLayout;
  readonly deadline: Deadline;
  readonly now: Date;
  readonly scanPolicy: ScanPolicy;
  /** Time for the stream to list a version before the second check of that version, in milliseconds. */
  readonly settleMs: number;
  /** Yields each event number that has no event, once and in ascending order. */
  readonly missingEventNumbers: AsyncGenerator<number, undefined>;
  /** Shows which versions have wrong, missing or surplus rows, once the first phase is complete. */
  readonly rowSums: RowSums;
  /** Shows which refs of projects may have wrong uses, once the phase `projects` is complete. */
  readonly useSums: UseSums;
}

export interface Finding {
  readonly kind: FindingKind;
  readonly example: string;
  /**
   * `once`: every page sees it, and the report counts it once. `before`: an earlier phase has counted it, and this
   * phase repairs it. By default each finding counts.
   */
  readonly counted?: 'once' | 'before';
}

/** Findings that share one repair. */
export interface Problem {
  readonly findings: readonly Finding[];
  /**
   * Repairs all of the findings. Absent if no repair is possible here.
   * @throws {ConflictError} if a writer changed the items first: nothing is written then
   */
  readonly repair?: (() => Promise<void>) | undefined;
}

/** Returns a problem with one finding. */
export const makeProblem = (finding: Finding, repair?: Problem['repair']): Problem => ({
  findings: [finding],
  repair,
});

/** How often a check is attempted while writers change its items. */
export type AttemptOptions = Pick<RetryOptions, 'attempts' | 'delayMs' | 'jitter' | 'deadline'>;

/** Check of one item, or of a few items that belong together. */
export interface Check {
  /** Names the item in the log. */
  readonly subject: string;
  /**
   * Reads the item and returns its problems; none if the item is right. Each attempt reads anew.
   * @throws {ConflictError} if a writer changed the item while it was read
   */
  readonly examine: () => Promise<readonly Problem[]>;
  /** Quick test by eventually consistent reads, which the checks of a page may share. By default `examine` is the test. */
  readonly looksRight?: () => Promise<boolean>;
  /** Three attempts without a delay by default. */
  readonly attemptOptions?: AttemptOptions;
}

/** Results of a check, from best to worst; `unjudged` after an error, or after conflicts in all attempts. */
export const outcomes = ['right', 'repaired', 'reported', 'unjudged'] as const;
export type Outcome = (typeof outcomes)[number];

/** Checks in sequence. The driver passes the outcome of each check to the generator, which then yields the next one. */
export type Checks<Result = void> = AsyncGenerator<Check, Result, Outcome>;

/** One page of the items that a phase checks. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The last key before the page; undefined on the first page of a segment. */
  readonly after?: ItemKey | undefined;
  /** Where the next page of the segment begins; undefined on its last page. */
  readonly next: IntegrityPosition | undefined;
}

/** One phase of the integrity check. */
interface PhaseRow<Item> {
  readonly readPage: (
    position: IntegrityPosition,
    segment: Segment,
    context: CheckContext,
  ) => Promise<Page<Item>>;
  /** Yields a check for each item of the page that seems wrong. Returns the number of items that it looked at. */
  readonly checkPage: (page: Page<Item>, context: CheckContext) => Checks<number>;
  /** Number of segments, whose pages are checked in parallel; 1 by default. A repair checks one after the other. */
  readonly segments?: number;
  /** False if no check of the phase repairs anything; true by default. */
  readonly hasRepairs?: boolean;
  /** Yields the checks after the last page of all segments. Returns the number of further items. */
  readonly finish?: (context: CheckContext) => Checks<number>;
  /** True if the phase has something to do; always by default. */
  readonly isNeeded?: (context: CheckContext) => boolean;
}

/** Phase with any type of items, as the driver uses it. */
export interface Phase
  extends Required<Pick<PhaseRow<never>, 'segments' | 'hasRepairs' | 'isNeeded'>> {
  readonly openPage: (
    position: IntegrityPosition,
    segment: Segment,
    context: CheckContext,
  ) => Promise<{ readonly checks: Checks<number>; readonly next: IntegrityPosition | undefined }>;
  readonly finish: PhaseRow<never>['finish'];
}

export const definePhase = <Item>({
  readPage,
  checkPage,
  segments = 1,
  hasRepairs = true,
  finish,
  isNeeded = () => true,
}: PhaseRow<Item>): Phase => ({
  segments,
  hasRepairs,
  finish,
  isNeeded,
  openPage: async (position, segment, context) => {
    const page = await readPage(position, segment, context);
    return { checks: checkPage(page, context), next: page.next };
  },
});

/** Number of segments of a phase that scans a table. */
export const scanSegments = 8;

/**
 * Returns the `readPage` of a phase that scans a whole table. The scan is eventually consistent: an item shows only what
 * may be wrong.
 */
export const scanInPages =
  <Item extends object>(table: Table<Item>, limit: number): PhaseRow<Item>['readPage'] =>
  async ({ after }, segment) => {
    const read = () => scanPage(table, segment, { start: after, limit });
    const { items, next } = await readEventually(read);
    return { items, after, next: next && { after: next } };
  };

/** The errors of DynamoDB that concern the items of a request; all others concern the storage. */
const itemErrors = new Set(['ValidationException', 'TransactionCanceledException']);

/** Returns true if no further item can be checked after this error. */
export const isStorageError = (error: unknown): boolean =>
  error instanceof RegistryError
    ? error.code === 'storage_unavailable'
    : error instanceof DynamoDBServiceException && !itemErrors.has(error.name);

const parallelLooks = 8;

/**
 * Returns the items that may be wrong, after a quick test of each, by eventually consistent reads. An item is among them
 * if its test throws, so that its check reports the error.
 * @throws {Error} if the storage cannot be reached, or denies access
 */
export const findSuspects = async <Item>(
  items: readonly Item[],
  looksRight: (item: Item) => Promise<boolean>,
): Promise<Item[]> => {
  const looks = await runInParallel(items, parallelLooks, async (item) => {
    try {
      return await readEventually(() => looksRight(item));
    } catch (error) {
      if (isStorageError(error)) throw error;
      return false;
    }
  });
  return items.filter((_, at) => !looks[at]);
};

/** Returns true if the quick test of a check finds nothing. */
export const seemsRight = async ({ examine, looksRight }: Check): Promise<boolean> =>
  looksRight ? looksRight() : (await examine()).length === 0;

export const describeVersion = ({ ecosystem, name, version }: PackageId): string =>
  `${ecosystem} ${name} ${version}`;

/** Returns the primary key under which a version is stored. */
export const pickVersionKey = ({ name_key, version_key }: PackageItem) => ({
  name_key,
  version_key,
});

/** A version, if it exists, and other items that were read at the same time. */
interface WithVersion<T> {
  readonly version: PackageItem | undefined;
  readonly stored: T;
}

/** A writer changed the items of a check. The check is attempted again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';

  constructor() {
    super('A writer changed the items of this check');
  }
}

/**
 * Reads items between two reads of their version.
 * @throws {ConflictError} if the version changed
 */
export const readWithVersion = async <T>(
  id: PackageId,
  read: (version: PackageItem | undefined) => Promise<T>,
): Promise<WithVersion<T>> => {
  const version = await findVersion(id);
  const stored = await read(version);
  const again = await findVersion(id);
  const isSame = version?.revision === again?.revision && version?.sequence === again?.sequence;
  if (!isSame) throw new ConflictError();
  return { version, stored };
};

/**
 * Reads items twice, for items that can change while their version does not.
 * @throws {ConflictError} if both reads differ
 */
export const readTwice = async <T>(read: () => Promise<T>): Promise<T> => {
  const first = await read();
  if (!isDeepStrictEqual(first, await read())) throw new ConflictError();
  return first;
};

/** Function that returns the values to list a version under. */
export type Recall = (versionKey: string) => Promise<ReadonlySet<string>>;

/** Returns a function that reads each version once for a page: a version may have very many rows. */
export const createRecall = (find: Recall): Recall => {
  const known = new Map<string, ReturnType<Recall>>();
  return (versionKey) => {
    const found = known.get(versionKey) ?? find(versionKey);
    known.set(versionKey, found);
    return found;
  };
};

/**
 * Commits all writes in one transaction.
 * @throws {ConflictError} if a condition failed: nothing is written then
 */
export const transactIfUnchanged = (writes: readonly Write[], deadline: Deadline): Promise<void> =>
  transact(
    writes.map(({ operation }) => ({ operation, refuse: () => new ConflictError() })),
    deadline,
  );
