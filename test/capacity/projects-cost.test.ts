import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SnapshotRequest } from '../../shared/api/schemas/snapshot.ts';
import { maxProjects, maxSnapshotVersions } from '../../shared/domain/projects/project-limits.ts';
import { defaultScanPolicy } from '../../shared/domain/vulnerabilities/verdict.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { addToFields, putItem, updateItem } from '../../shared/storage/dynamodb/write.ts';
import { updateAlone } from '../../shared/storage/dynamodb/write-alone.ts';
import { writeBatches } from '../../shared/storage/dynamodb/write-batches.ts';
import {
  projectCountKey,
  projectCountTable,
  projectsTable,
  toProjectKey,
  toUseKey,
  usesTable,
} from '../../shared/storage/projects/project-items.ts';
import { addShortNames } from '../../shared/storage/projects/short-names.ts';
import { toCounterKey } from '../../shared/storage/vulnerabilities/vulnerability-keys.ts';
import { listProjectUses } from '../../shared/use-cases/projects/list-project-uses.ts';
import { listProjects } from '../../shared/use-cases/projects/list-projects.ts';
import { recordSnapshot } from '../../shared/use-cases/projects/record-snapshot.ts';
import { removeRef } from '../../shared/use-cases/projects/remove-ref.ts';
import { replaceOwner } from '../../shared/use-cases/projects/replace-owner.ts';
import { showProject } from '../../shared/use-cases/projects/show-project.ts';
import { showPackageProjects } from '../../shared/use-cases/projects/show-uses.ts';
import { showVulnerabilityProjects } from '../../shared/use-cases/projects/show-vulnerability-projects.ts';
import { putAffected } from '../support/affected-versions.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';
import { writeContext } from './write-context.ts';

type Versions = SnapshotRequest['versions'];

const files = ['package-lock.json'];
const makeVersions = (count: number, ecosystem: 'npm' | 'maven' = 'npm'): Versions =>
  Array.from({ length: count }, (_, at) => ({
    ecosystem,
    name: ecosystem === 'npm' ? `package-${at}` : `org.acme:artifact-${at}`,
    version: `${at % 7}.${at % 11}.${at % 13}`,
    direct: at % 20 === 0,
    files,
  }));

const record = (versions: Versions, project = 'shop') =>
  measure(() =>
    recordSnapshot(
      project,
      { ref: 'main', commit: 'abc', owner: 'team', versions },
      writeContext(),
    ),
  );

const viewpoint = { now: new Date(), policy: defaultScanPolicy, own: [] };

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

describe('a recording of 1,500 versions', () => {
  const versions = makeVersions(1500);

  it('takes a write unit for each version, and few for the rest', async () => {
    const { writeUnits, readUnits, calls } = await record(versions);

    // 6 of a transaction of three items, 8 of the compressed versions, and 1 of the end of the lease.
    expect(writeUnits).toBeLessThanOrEqual(1500 + 15);
    expect(readUnits).toBe(2);
    expect(calls).toBeLessThanOrEqual(66);
  });

  it('takes two write units if nothing changed', async () => {
    await record(versions);

    const { writeUnits, readUnits, calls } = await record(versions);

    expect({ writeUnits, readUnits, calls }).toEqual({ writeUnits: 2, readUnits: 2, calls: 4 });
  });

  it('takes two rows for one changed version, and the compressed versions again', async () => {
    await record(versions);

    const [first, ...others] = versions;
    const { writeUnits, readUnits } = await record(
      first ? [{ ...first, version: '99.0.0' }, ...others] : [],
    );

    // 2 rows, 8 of the compressed versions, as many for the deletion of the earlier ones, and 4 of the ref and the project.
    expect(writeUnits).toBeLessThanOrEqual(22);
    expect(readUnits).toBe(4);
  });

  it('takes a second row for each Maven package at the first time, for its artifact id', async () => {
    const maven = makeVersions(1500, 'maven');

    const first = await record(maven);
    const again = await record(maven);

    expect(first.writeUnits).toBeLessThanOrEqual(3030);
    expect(again.writeUnits).toBe(2);
  });
});

describe('the most versions', () => {
  it('are recorded, shown in pages, and removed at a bounded cost', async () => {
    const versions = makeVersions(maxSnapshotVersions);

    const recorded = await record(versions);
    const page = await measure(() => showProject('shop', { limit: 1000 }, viewpoint));
    const id = { project: 'shop', ref: 'main' };
    const removed = await measure(() => removeRef(id, { ...writeContext(), remember: () => [] }));

    expect(recorded.writeUnits).toBeLessThanOrEqual(5070);
    expect(page.result.versions).toHaveLength(1000);
    // Half a unit for each version that the registry lacks, and the compressed versions.
    expect(page.readUnits).toBeLessThanOrEqual(510);
    expect(page.roundTrips).toBeLessThanOrEqual(4);
    expect(removed.writeUnits).toBeLessThanOrEqual(5070);
  });
});

describe('at 10,000 projects', () => {
  const id = { ecosystem: 'npm', name: 'lodash', version: '4.17.21' } as const;
  const fill = async (): Promise<void> => {
    const names = Array.from({ length: maxProjects }, (_, at) => `team-${at % 100}/project-${at}`);
    const recorded_at = new Date().toISOString();
    const writes = names.flatMap((project) => [
      putItem(projectsTable, {
        ...toProjectKey(project),
        ...{ owner: `team-${project.length}@example.com`, refs: 1, recorded_at },
      }),
      putItem(usesTable, { ...toUseKey(id, { project, ref: 'main' }), direct: true }),
    ]);
    await writeBatches(writes, { remainingMs: () => 120_000 });
    await updateAlone(
      updateItem(projectCountTable, projectCountKey, {
        change: addToFields({ count: maxProjects }),
      }),
    );
  };

  it('each request has its bound', async () => {
    await fill();

    const page = await measure(() =>
      showPackageProjects(id.name, { ecosystem: 'npm', version: id.version, limit: 100 }),
    );
    const longest = await measure(() => showPackageProjects(id.name, { limit: 1000 }));
    const list = await measure(() => listProjects({ limit: 1000 }));
    const owned = await measure(() => listProjects({ owner: 'nobody', limit: 100 }));
    const replaced = await measure(() =>
      replaceOwner({ owner: 'team-15@example.com', replacement: 'x' }),
    );

    expect(page.result).toMatchObject({ projects: 1000, projects_at_least: true });
    expect(page.result.uses).toHaveLength(100);
    expect(longest.result.uses).toHaveLength(1000);
    expect(page.readUnits).toBeLessThanOrEqual(65);
    expect(longest.readUnits).toBeLessThanOrEqual(530);
    expect(page.roundTrips).toBeLessThanOrEqual(2);
    expect(list.result.projects).toHaveLength(1000);
    expect(list.readUnits).toBeLessThanOrEqual(20);
    expect(owned.result).toMatchObject({ projects: [], next: expect.any(String) });
    expect(owned.readUnits).toBeLessThanOrEqual(20);
    expect(replaced.writeUnits).toBeLessThanOrEqual(500);
    expect(replaced.readUnits).toBeLessThanOrEqual(20);
  });

  it('the users of 100 versions take a query each, and a read for each named project', async () => {
    await fill();
    const others = Array.from({ length: 99 }, (_, at) => ({ ...id, name: `package-${at}` }));
    // A hundred other projects use each version.
    const writes = others.flatMap((other, at) =>
      Array.from({ length: 100 }, (_, number) => {
        const project = `team-${number}/project-${at * 100 + number}`;
        return putItem(usesTable, { ...toUseKey(other, { project, ref: 'main' }), direct: true });
      }),
    );
    await writeBatches(writes, { remainingMs: () => 120_000 });

    const packages = [id, ...others];
    const { result, readUnits, calls } = await measure(() => listProjectUses({ packages }));
    const unused = await measure(() =>
      listProjectUses({ packages: packages.map((one) => ({ ...one, version: '0.0.0' })) }),
    );

    expect(result.packages).toHaveLength(100);
    expect(result.packages[0]).toEqual({
      ...{ ...id, projects: 100, projects_at_least: true },
      used_by: [0, 100, 1000, 1100, 1200].map((at) => ({
        project: `team-0/project-${at}`,
        owner: `team-${`team-0/project-${at}`.length}@example.com`,
      })),
    });
    // A query of 100 small rows takes one unit, and the read of a project half a unit: here 495 distinct ones.
    expect({ readUnits, calls }).toEqual({ readUnits: 347.5, calls: 105 });
    expect({ readUnits: unused.readUnits, calls: unused.calls }).toEqual({
      readUnits: 50,
      calls: 100,
    });
  });

  it('a page of an artifact ID, or of a vulnerability, has its bound', async () => {
    const groups = Array.from({ length: 60 }, (_, at) => `org.group-${at}:core`);
    const cve = 'CVE-2026-1';
    const names = Array.from({ length: 100 }, (_, at) => `project-${at}`);
    const toVersion = (name: string) => ({ ecosystem: 'maven', name, version: '1.0' }) as const;
    await writeBatches(
      [
        ...addShortNames(
          [],
          groups.map((name) => ({ ...toVersion(name), direct: true, files })),
        ),
        ...groups.flatMap((name) =>
          names.map((project) =>
            putItem(usesTable, {
              ...{ ...toUseKey(toVersion(name), { project, ref: 'main' }), direct: true },
            }),
          ),
        ),
      ],
      { remainingMs: () => 60_000 },
    );
    await putAffected(cve, groups.map(toVersion));
    const Item = { ...toCounterKey(cve), description: {} };
    await dynamodb.send(new PutCommand({ TableName: 'reviews', Item }));

    const core = await measure(() => showPackageProjects('core', { limit: 1000 }));
    const affected = await measure(() =>
      showVulnerabilityProjects(cve, { after: undefined, limit: 1000 }),
    );

    expect(core.result).toMatchObject({ projects: 100, projects_at_least: true });
    // 1,000 small rows of the page and of the count, half a unit for each further query, and the projects.
    expect(core.readUnits).toBeLessThanOrEqual(140);
    expect(affected.readUnits).toBeLessThanOrEqual(140);
  });

  it('another project is refused, and a ref of a known one is not', async () => {
    await fill();

    const context = writeContext();
    const body = { ref: 'dev', versions: [] };

    await expect(recordSnapshot('one-more', body, context)).rejects.toMatchObject({
      code: 'too_many_projects',
    });
    await expect(recordSnapshot('team-0/project-0', body, context)).resolves.toMatchObject({
      number: 1,
    });
  });
});
