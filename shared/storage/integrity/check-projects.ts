import { readEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { deleteItem } from '../dynamodb/write.ts';
import {
  type ContentPart,
  contentsTable,
  type RefItem,
  readContentPartition,
  readRefKey,
  readUseKey,
  refsTable,
  toRefKey,
} from '../projects/project-items.ts';
import { findProjects } from '../projects/projects.ts';
import { checkRefUnchanged, findRef, isBeingWritten } from '../projects/refs.ts';
import { readContentId, unpackPart } from '../projects/snapshot-content.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  definePhase,
  findSuspects,
  makeProblem,
  scanInPages,
  scanSegments,
  seemsRight,
  transactIfUnchanged,
} from './check.ts';
import { checkProject, checkProjectCount } from './check-project-counts.ts';
import {
  type ProjectsTableItem,
  projectsTableItems,
  sortProjectItems,
} from './project-items-page.ts';

/**
 * Check of projects, of their numbers of refs, and of snapshots that no ref needs. The same scan sums up the uses, so that
 * the next phase looks up only uses that may be wrong.
 */

const itemsAPage = 2000;

/** A part of a content, and the ref of its partition, if it exists. */
interface OwnedPart {
  readonly part: ContentPart;
  readonly ref: RefItem | undefined;
}

const findOwners = async (parts: readonly ContentPart[]): Promise<OwnedPart[]> => {
  const keys = parts.map(({ p }) => toRefKey(readContentPartition(p)));
  const refs = await batchGet(refsTable, keys, { unitsAnItem: 1 });
  const byKey = new Map(refs.map((ref) => [JSON.stringify([ref.p, ref.k]), ref]));
  return parts.map((part, at) => ({
    part,
    ref: byKey.get(JSON.stringify([keys[at]?.p, keys[at]?.k])),
  }));
};

const isCurrent = ({ part, ref }: OwnedPart): boolean =>
  ref?.current?.content === readContentId(part);

/** True for the current snapshot, and for the one that an interrupted recording wrote, which the next one completes. */
const isNeeded = (owned: OwnedPart): boolean =>
  isCurrent(owned) || owned.ref?.lease?.recording?.content === readContentId(owned.part);

const checkPart = ({ p, k }: ContentPart, { now, deadline }: CheckContext): Check => ({
  subject: `snapshot ${p} ${k}`,
  examine: async () => {
    const id = readContentPartition(p);
    const ref = await findRef(id);
    const part = await getItem(contentsTable, { p, k });
    if (!part || isNeeded({ part, ref }) || (ref && isBeingWritten(ref, now))) return [];
    const writes = [checkRefUnchanged(id, ref), deleteItem(contentsTable, { p, k })];
    return [
      makeProblem({ kind: 'orphaned_snapshot', example: `${p} ${k}` }, () =>
        transactIfUnchanged(writes, deadline),
      ),
    ];
  },
});

/** Adds the versions of a part to the sums. A part that cannot be read adds nothing, so that its ref is looked up. */
const addPart = ({ p, packed }: ContentPart, { useSums }: CheckContext): void => {
  try {
    useSums.addExpected(readContentPartition(p), unpackPart({ packed }));
  } catch {
    // The next phase reports it.
  }
};

/** Returns the projects of refs that do not seem to exist. */
const findMissingProjects = async (refs: readonly RefItem[]): Promise<string[]> => {
  const names = [...new Set(refs.map((ref) => readRefKey(ref).project))];
  const found = await findProjects(names);
  return names.filter((name) => !found.has(name));
};

/** Returns the checks of projects that seem wrong. */
const listProjectChecks = async (
  { projects, refs }: ReturnType<typeof sortProjectItems>,
  context: CheckContext,
): Promise<Check[]> => [
  ...projects.map(({ k }) => checkProject(k, context)),
  // Refs of one project can be on several pages.
  ...(await findMissingProjects(refs)).map((name) => checkProject(name, context, 'once')),
];

/** Checks projects and snapshots, and sums up the expected and the stored uses. */
export const projectsPhase = definePhase<ProjectsTableItem>({
  segments: scanSegments,
  readPage: scanInPages(projectsTableItems, itemsAPage),
  async *checkPage({ items }, context): Checks<number> {
    const { useSums } = context;
    const sorted = sortProjectItems(items);
    const { projects, refs, parts, uses } = sorted;
    for (const row of uses) useSums.subtractStored(readUseKey(row.k), row);
    for (const ref of refs) useSums.subtractCount(readRefKey(ref), ref);
    const owned = await readEventually(() => findOwners(parts));
    for (const one of owned) if (isCurrent(one)) addPart(one.part, context);
    const unneeded = owned.filter((one) => !isNeeded(one));
    const checks = [
      ...(await listProjectChecks(sorted, context)),
      ...unneeded.map(({ part }) => checkPart(part, context)),
    ];
    yield* await findSuspects(checks, seemsRight);
    return projects.length + refs.length + parts.length + uses.length;
  },
  async *finish(context): Checks<number> {
    yield* await findSuspects([checkProjectCount(context)], seemsRight);
    return 0;
  },
});
