import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordSnapshot } from '../../../shared/use-cases/projects/record-snapshot.ts';
import { showPackageProjects } from '../../../shared/use-cases/projects/show-uses.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { laterContext } from './interruption.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const record = (project: string, groups: readonly string[]) =>
  recordSnapshot(
    project,
    {
      ref: 'main',
      versions: groups.map((group) => ({
        ...{ ecosystem: 'maven', name: `${group}:core`, version: '1.0', direct: true },
      })),
    },
    laterContext(),
  );

it('finds the packages of an artifact ID, and none that nobody uses any more', async () => {
  await record('shop', ['org.acme', 'org.other']);
  await record('shop', ['org.acme']);

  const found = await showPackageProjects('core', { ecosystem: 'maven', limit: 100 });

  expect(found).toMatchObject({
    ...{ projects: 1, projects_at_least: false, next: null },
    uses: [{ name: 'org.acme:core' }],
  });
});

it('counts a project once that uses several packages of an artifact ID', async () => {
  await record('shop', ['org.acme', 'org.other']);

  const found = await showPackageProjects('core', { ecosystem: 'maven', limit: 100 });

  expect(found.uses).toHaveLength(2);
  expect(found).toMatchObject({ projects: 1, projects_at_least: false });
});

it('says that more than 50 packages have an artifact ID', async () => {
  await record(
    'shop',
    Array.from({ length: 60 }, (_, at) => `org.group-${at}`),
  );

  const found = await showPackageProjects('core', { version: '1.0', limit: 100 });

  expect(found.uses.length).toBeGreaterThanOrEqual(48);
  expect(found).toMatchObject({ projects_at_least: true });
});
