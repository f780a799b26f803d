import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { databaseOf } from '../support/database.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
import { type Exercise, reading } from './exercise.ts';
import { nameCve, showingVulnerability } from './vulnerability-exercises.ts';

const toPath = (project: string): string => `/api/v1/projects/${project}`;

const record = async (registry: TestRegistry, name: string, version = '1.0.0'): Promise<number> => {
  const body = { ref: 'main', versions: [{ ecosystem: 'npm', name, version, direct: true }] };
  return (await registry.post(`${toPath(name)}/snapshots`, body)).status;
};

/** Lets an interrupted removal wait for the next recording of a ref. */
const interruptRemoval = (registry: TestRegistry, project: string) => {
  const lease = { id: 'interrupted', until: 0, recording: null };
  return databaseOf(registry).send(
    new PutCommand({
      TableName: registry.stack.tables['PROJECTS_TABLE'],
      Item: { p: `project#${project}`, k: 'main', current: null, lease },
    }),
  );
};

/** Leaves a project with a wrong number of refs, a use of no ref, and a snapshot without its uses. */
export const damageProjects = async (registry: TestRegistry, name: string): Promise<void> => {
  await record(registry, name);
  const database = databaseOf(registry);
  const TableName = registry.stack.tables['PROJECTS_TABLE'];
  const row = { p: `use#npm#${name}`, k: `1.0.0#${name}#main` };
  await database.send(new DeleteCommand({ TableName, Key: row }));
  const project = { p: '#projects', k: name, owner: null, recorded_at: new Date(0).toISOString() };
  for (const Item of [
    { ...row, k: `9.9.9#${name}#main`, direct: null },
    { ...project, refs: 7 },
  ]) {
    await database.send(new PutCommand({ TableName, Item }));
  }
};

/** Records a project first, again, with a change, and after an interrupted removal. */
export const recording: Exercise = async (registry, name) => {
  const statuses = [
    await record(registry, name),
    await record(registry, name),
    await record(registry, name, '2.0.0'),
  ];
  await interruptRemoval(registry, name);
  return [...statuses, await record(registry, name)];
};

export const listingProjects = reading(() => '/api/v1/projects', ['', '?owner=nobody']);

export const showingProject: Exercise = async (registry, name, osv, origin) => [
  await record(registry, name),
  ...(await reading(toPath, ['', '?ref=main'])(registry, name, osv, origin)),
];

/** Removes a ref twice with one key. */
export const removingProject: Exercise = async (registry, name) => {
  const statuses = [await record(registry, name)];
  const headers = { 'Idempotency-Key': name };
  for (const _ of [1, 2]) {
    const { status } = await registry.send('DELETE', `${toPath(name)}?ref=main`, { headers });
    statuses.push(status);
  }
  return statuses;
};

export const listingPackageProjects: Exercise = async (registry, name, osv, origin) => [
  await record(registry, name),
  ...(await reading(
    (one) => packagePath(one, '/projects'),
    ['', '?version=1.0.0', '?ecosystem=npm'],
  )(registry, name, osv, origin)),
];

export const listingProjectUses: Exercise = async (registry, name) => {
  const packages = [{ ecosystem: 'npm', name, version: '1.0.0' }];
  const recorded = await record(registry, name);
  return [recorded, (await registry.post('/api/v1/project-uses', { packages })).status];
};

export const listingVulnerabilityProjects: Exercise = async (registry, name, osv, origin) => [
  await record(registry, name),
  ...(await showingVulnerability(registry, name, osv, origin)),
  ...(await reading((one) => `/api/v1/vulnerabilities/${nameCve(one)}/projects`, [''])(
    registry,
    name,
    osv,
    origin,
  )),
];

export const replacingOwner: Exercise = async (registry, name) => {
  const body = { ref: 'main', owner: name, versions: [] };
  const recorded = await registry.post(`${toPath(name)}/snapshots`, body);
  const replaced = await registry.post('/api/v1/project-owners', {
    owner: name,
    replacement: null,
  });
  return [recorded.status, replaced.status];
};
