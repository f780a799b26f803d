import { isDeepStrictEqual } from 'node:util';
import type { FindingKind } from '../../api/schemas/integrity.ts';
import { splitInto } from '../../util/split-into.ts';
import { isReadingEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { deleteItem, putItem } from '../dynamodb/write.ts';
import {
  type RefId,
  type RefItem,
  readRefKey,
  readUseKey,
  type UseRow,
  usesTable,
} from '../projects/project-items.ts';
import { checkRefUnchanged, findRef, isBeingWritten } from '../projects/refs.ts';
import { findContent } from '../projects/snapshot-content.ts';
import { formatUseKey, makeUseRows } from '../projects/use-rows.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  ConflictError,
  definePhase,
  findSuspects,
  makeProblem,
  type Problem,
  scanInPages,
  scanSegments,
  seemsRight,
  transactIfUnchanged,
} from './check.ts';
import {
  type ProjectsTableItem,
  projectsTableItems,
  sortProjectItems,
} from './project-items-page.ts';

/** Check that each ref of a project has exactly the uses of its current snapshot. A ref that is being written is left alone. */

/** Few enough for the time of a page: a ref has up to 5,000 uses. */
const itemsAPage = 25;

/** Rows of one transaction, besides the check of their ref. */
const rowsAWrite = 99;

type Rows = ReadonlyMap<string, UseRow>;

const noRows: Rows = new Map();

/** Returns the rows of the current snapshot of a ref; undefined if it cannot be read. */
const expectRows = async (id: RefId, ref: RefItem | undefined): Promise<Rows | undefined> => {
  if (!ref?.current) return noRows;
  const eventual = isReadingEventually();
  const versions = await findContent(id, ref.current.content, { eventual });
  return versions && makeUseRows(id, versions);
};

const isSameRef = (one: RefItem | undefined, other: RefItem | undefined): boolean =>
  one?.current?.content === other?.current?.content && isDeepStrictEqual(one?.lease, other?.lease);

/** A ref as it was read, and the rows that it must have. */
interface ExpectedUses {
  readonly ref: RefItem | undefined;
  readonly rows: Rows | undefined;
}

/**
 * Reads a ref, the rows of its snapshot, and what `compare` reads. Returns no problems of a ref that is being written.
 * @throws {ConflictError} if the ref changed
 */
const examineRef = async (
  id: RefId,
  { now }: CheckContext,
  compare: (expected: ExpectedUses) => Promise<readonly Problem[]>,
): Promise<readonly Problem[]> => {
  const ref = await findRef(id);
  if (ref && isBeingWritten(ref, now)) return [];
  const problems = await compare({ ref, rows: await expectRows(id, ref) });
  if (problems.length > 0 && !isSameRef(ref, await findRef(id))) throw new ConflictError();
  return problems;
};

const describeRef = ({ project, ref }: RefId): string => `${project} ${ref}`;

const describeUse = ({ p, k }: Pick<UseRow, 'p' | 'k'>): string => `${p} ${k}`;

/** A row that is missing, or has another value. */
interface WrongRow {
  readonly kind: Extract<FindingKind, 'missing_use' | 'wrong_use'>;
  readonly row: UseRow;
}

const findWrong = async (rows: Rows): Promise<WrongRow[]> => {
  const keys = [...rows.values()].map(({ p, k }) => ({ p, k }));
  const stored = await batchGet(usesTable, keys, { unitsAnItem: 1 });
  const byKey = new Map(stored.map((row) => [formatUseKey(row), row]));
  return [...rows].flatMap(([key, row]): WrongRow[] => {
    const found = byKey.get(key);
    if (!found) return [{ kind: 'missing_use', row }];
    return found.direct === row.direct ? [] : [{ kind: 'wrong_use', row }];
  });
};

/** Returns the check that each version in the current snapshot of a ref has its row. */
const checkRef = (id: RefId, context: CheckContext): Check => ({
  subject: `uses of ${describeRef(id)}`,
  examine: () =>
    examineRef(id, context, async ({ ref, rows }) => {
      if (!rows) return [makeProblem({ kind: 'unreadable_snapshot', example: describeRef(id) })];
      return splitInto(rowsAWrite, await findWrong(rows)).map((wrong) => ({
        findings: wrong.map(({ kind, row }) => ({ kind, example: describeUse(row) })),
        repair: () =>
          transactIfUnchanged(
            [checkRefUnchanged(id, ref), ...wrong.map(({ row }) => putItem(usesTable, row))],
            context.deadline,
          ),
      }));
    }),
});

/** True for a row whose key names a ref: DynamoDB refuses an empty one. */
const namesRef = ({ project, ref }: RefId): boolean => project !== '' && ref !== '';

/** Returns the check that the current snapshot of its ref has the version of a row. */
const checkUse = ({ p, k }: UseRow, context: CheckContext): Check => {
  const id = readUseKey(k);
  const { deadline } = context;
  const compare = async ({ ref, rows }: ExpectedUses): Promise<readonly Problem[]> => {
    // The check of a ref reports that it cannot be read.
    if (!rows || rows.has(formatUseKey({ p, k }))) return [];
    if (!(await getItem(usesTable, { p, k }))) return [];
    const writes = [
      ...(namesRef(id) ? [checkRefUnchanged(id, ref)] : []),
      deleteItem(usesTable, { p, k }),
    ];
    return [
      makeProblem({ kind: 'orphaned_use', example: describeUse({ p, k }) }, () =>
        transactIfUnchanged(writes, deadline),
      ),
    ];
  };
  return {
    subject: `use ${describeUse({ p, k })}`,
    examine: () =>
      namesRef(id) ? examineRef(id, context, compare) : compare({ ref: undefined, rows: noRows }),
  };
};

/** Checks the refs and uses that may be wrong. Runs only if the sums of the phase before differ. */
export const usesPhase = definePhase<ProjectsTableItem>({
  segments: scanSegments,
  readPage: scanInPages(projectsTableItems, itemsAPage),
  isNeeded: ({ useSums }) => useSums.hasSuspects(),
  async *checkPage({ items }, context): Checks<number> {
    const { useSums } = context;
    const { refs, uses } = sortProjectItems(items);
    const checks = [
      ...refs
        .map(readRefKey)
        .filter(useSums.isSuspect)
        .map((id) => checkRef(id, context)),
      ...uses
        .filter(({ k }) => useSums.isSuspect(readUseKey(k)))
        .map((row) => checkUse(row, context)),
    ];
    yield* await findSuspects(checks, seemsRight);
    return checks.length;
  },
});
