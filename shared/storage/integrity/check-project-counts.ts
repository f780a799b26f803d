import { isReadingEventually } from '../dynamodb/eventual-reads.ts';
import { getItem, queryItems } from '../dynamodb/read.ts';
import { ifUnchanged, putItem, setFields, updateItem, type Write } from '../dynamodb/write.ts';
import {
  allProjects,
  type ProjectItem,
  projectCountKey,
  projectCountTable,
  projectsTable,
  type RefItem,
  toProjectKey,
} from '../projects/project-items.ts';
import { deleteProject, findProject } from '../projects/projects.ts';
import { listRefs } from '../projects/refs.ts';
import {
  type Check,
  type CheckContext,
  type Finding,
  makeProblem,
  readTwice,
  transactIfUnchanged,
} from './check.ts';

/** Check of the number of refs in each project, and of the number of projects. */

/** A project, if it exists, and its refs. */
interface ReadProject {
  readonly project: ProjectItem | undefined;
  readonly refs: readonly RefItem[];
}

const readProject = async (name: string): Promise<ReadProject> => {
  const project = await findProject(name);
  const refs = await listRefs(name, { eventual: isReadingEventually() });
  return { project, refs };
};

/** Returns true if the project has as many refs as it counts. A project ends with its last ref. */
const isRight = ({ project, refs }: ReadProject): boolean =>
  project ? refs.length > 0 && project.refs === refs.length : refs.length === 0;

const findNewest = (refs: readonly RefItem[]): string | undefined =>
  refs
    .flatMap(({ current }) => current?.recorded_at ?? [])
    .sort()
    .at(-1);

/** Returns the writes that make a project agree with its refs. They fail if somebody adds or removes a ref. */
const repairProject = (
  name: string,
  { project, refs }: ReadProject,
  { now }: CheckContext,
): Write[] => {
  const key = toProjectKey(name);
  const guard = ifUnchanged(project, ['k', 'refs', 'recorded_at']);
  if (!project) {
    // The number of projects still counts it, or its own check finds that.
    const recorded_at = findNewest(refs) ?? now.toISOString();
    const item = { ...key, owner: null, refs: refs.length, recorded_at };
    return [putItem(projectsTable, item, guard)];
  }
  if (refs.length > 0) {
    const change = setFields({ refs: refs.length });
    return [updateItem(projectsTable, key, { change, guard })];
  }
  return deleteProject(name, guard);
};

/** Returns the check that a project exists, and counts its refs. */
export const checkProject = (
  name: string,
  context: CheckContext,
  counted?: Finding['counted'],
): Check => ({
  subject: `project ${name}`,
  looksRight: async () => isRight(await readProject(name)),
  examine: async () => {
    const read = await readTwice(() => readProject(name));
    if (isRight(read)) return [];
    const finding = { kind: 'wrong_project', example: name, ...(counted && { counted }) } as const;
    return [
      makeProblem(finding, () =>
        transactIfUnchanged(repairProject(name, read, context), context.deadline),
      ),
    ];
  },
});

const readCounts = async () => {
  const projects = await queryItems(projectsTable, {
    KeyConditionExpression: 'p = :all',
    ExpressionAttributeValues: { ':all': allProjects },
  });
  const count = await getItem(projectCountTable, projectCountKey);
  return { count, projects: projects.length };
};

/** Returns the check of the number of projects, which limits them. */
export const checkProjectCount = ({ deadline }: CheckContext): Check => ({
  subject: 'number of projects',
  looksRight: async () => {
    const { count, projects } = await readCounts();
    return (count?.count ?? 0) === projects;
  },
  examine: async () => {
    const { count, projects } = await readTwice(readCounts);
    if ((count?.count ?? 0) === projects) return [];
    const example = `${count?.count ?? 0} instead of ${projects}`;
    const write = updateItem(projectCountTable, projectCountKey, {
      change: setFields({ count: projects }),
      guard: ifUnchanged(count, ['count']),
    });
    return [
      makeProblem({ kind: 'wrong_project_count', example }, () =>
        transactIfUnchanged([write], deadline),
      ),
    ];
  },
});
