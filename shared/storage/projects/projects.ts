import { RegistryError } from '../../domain/errors.ts';
import { maxProjects, maxRefs } from '../../domain/projects/project-limits.ts';
import { batchGet, getItem, type ItemPage, queryPage } from '../dynamodb/read.ts';
import {
  addToFields,
  deleteItem,
  type Guard,
  ifUnchanged,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import { updateAlone } from '../dynamodb/write-alone.ts';
import {
  allProjects,
  type ProjectItem,
  projectCountKey,
  projectCountTable,
  projectsTable,
  toProjectKey,
} from './project-items.ts';

/** Another request changed a project or a ref after it was read. */
export class ProjectChangedError extends Error {
  override readonly name = 'ProjectChangedError';
}

const refuseChanged = () => new ProjectChangedError('Another request changed the project');

/** Returns a project; undefined if there is none of that name. */
export const findProject = (project: string): Promise<ProjectItem | undefined> =>
  getItem(projectsTable, toProjectKey(project));

/** Returns projects by name, with eventually consistent reads. Names without a project are omitted. */
export const findProjects = async (
  names: readonly string[],
): Promise<ReadonlyMap<string, ProjectItem>> => {
  const found = await batchGet(projectsTable, names.map(toProjectKey), {
    ...{ eventual: true, unitsAnItem: 1 },
  });
  return new Map(found.map((project) => [project.k, project]));
};

/** Returns a page of projects in the order of their names, after a name. Reads are eventually consistent. */
export const listProjects = ({
  after,
  limit,
}: {
  readonly after?: string | undefined;
  readonly limit: number;
}): Promise<ItemPage<ProjectItem>> =>
  queryPage(
    projectsTable,
    {
      KeyConditionExpression: after === undefined ? 'p = :all' : 'p = :all AND k > :after',
      ExpressionAttributeValues: {
        ':all': allProjects,
        ...(after !== undefined && { ':after': after }),
      },
      ConsistentRead: false,
    },
    { limit, unitsAnItem: 1 },
  );

/** New values of a project. An undefined owner stays as it is. */
interface ProjectChange {
  readonly owner: string | undefined;
  readonly recorded_at: string;
}

const refuseTooMany = (): RegistryError =>
  new RegistryError(
    'too_many_projects',
    `The registry has ${maxProjects} projects, which is its limit. Remove those that are not in use any more.`,
  );

const refuseTooManyRefs = (project: string): RegistryError =>
  new RegistryError(
    'too_many_projects',
    `${project} has ${maxRefs} branches and tags, which is the limit. Remove those that are merged or not in use any more.`,
  );

/** Returns the writes that add a ref to a project, and the project if it is new. */
export const addProjectRef = (
  project: string,
  seen: ProjectItem | undefined,
  { owner, recorded_at }: ProjectChange,
): Write[] => {
  const key = toProjectKey(project);
  if (!seen) {
    return [
      putItem(
        projectsTable,
        { ...key, owner: owner ?? null, refs: 1, recorded_at },
        { ...ifUnchanged(undefined, ['k']), refuse: refuseChanged },
      ),
      updateItem(projectCountTable, projectCountKey, {
        change: addToFields({ count: 1 }),
        guard: {
          ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
          ExpressionAttributeNames: { '#count': 'count' },
          ExpressionAttributeValues: { ':most': maxProjects },
          refuse: refuseTooMany,
        },
      }),
    ];
  }
  if (seen.refs >= maxRefs) throw refuseTooManyRefs(project);
  return [
    updateItem(projectsTable, key, {
      change: setFields({
        ...{ refs: seen.refs + 1, recorded_at },
        ...(owner !== undefined && { owner }),
      }),
      guard: { ...ifUnchanged(seen, ['refs']), refuse: refuseChanged },
    }),
  ];
};

/** Returns the writes that delete a project, and count it no more. */
export const deleteProject = (project: string, guard: Guard<ProjectItem>): Write[] => [
  deleteItem(projectsTable, toProjectKey(project), guard),
  updateItem(projectCountTable, projectCountKey, { change: addToFields({ count: -1 }) }),
];

/** Returns the writes that take a ref from a project, and remove the project with its last ref. */
export const removeProjectRef = (project: string, { refs }: Pick<ProjectItem, 'refs'>): Write[] => {
  const guard = { ...ifUnchanged({ refs }, ['refs']), refuse: refuseChanged };
  if (refs <= 1) return deleteProject(project, guard);
  const change = setFields({ refs: refs - 1 });
  return [updateItem(projectsTable, toProjectKey(project), { change, guard })];
};

/**
 * Notes a recording in its project, outside of a transaction.
 * @throws {ProjectChangedError} if the project was removed
 */
export const noteRecording = (
  project: string,
  { owner, recorded_at }: ProjectChange,
): Promise<void> =>
  updateAlone(
    updateItem(projectsTable, toProjectKey(project), {
      change: setFields({ recorded_at, ...(owner !== undefined && { owner }) }),
      guard: {
        ConditionExpression: 'attribute_exists(#k)',
        ExpressionAttributeNames: { '#k': 'k' },
        refuse: refuseChanged,
      },
    }),
  );

/** Replaces the owner of a project. Returns false if it has another owner by now. */
export const replaceProjectOwner = async (
  { k, owner }: ProjectItem,
  replacement: string | null,
): Promise<boolean> => {
  try {
    await updateAlone(
      updateItem(projectsTable, toProjectKey(k), {
        change: setFields({ owner: replacement }),
        guard: { ...ifUnchanged({ owner }, ['owner']), refuse: refuseChanged },
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ProjectChangedError) return false;
    throw error;
  }
};
