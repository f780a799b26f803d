import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDataFolder } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesiseRegistry } from '../../infra/local/synthesis.ts';
import { dataFormat } from '../../shared/api/data-format.ts';
import type { TableId } from '../../shared/api/resources.ts';
import { formatKey } from '../../shared/storage/dynamodb/format-item.ts';
import { until } from '../support/eventually.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import { copyProject, editFile } from '../support/project-copy.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  makeClock,
  migrate,
  readAnswers,
  readFormats,
  readTables,
  settings,
  startLoaded,
} from './loaded-registry.ts';
import { type Items, type ReleaseData, readFixtures } from './release-data.ts';

const nextFormat = dataFormat + 1;

/** The tables that the migration of the copy changes, each with an attribute of the items that it changes. */
const changed = {
  packages: 'write_id',
  scans: 'summary',
  decisions: 'at',
  events: 'sequence',
  projects: 'recorded_at',
} as const;

/** A migration that adds an attribute to items. */
const migration = `{
  to: ${nextFormat},
  upgrades: {
${Object.entries(changed)
  .map(
    ([id, name]) =>
      `    ${id}: (item) => ('${name}' in item && !('added' in item) ? { ...item, added: true } : item),`,
  )
  .join('\n')}
  },
},`;

/** Responses that depend on what clients submit meanwhile. */
const changes = /^\/api\/v1\/(packages(\?|$)|reviews|statistics)/;

let copy: string;
let nextAssembly: string;
beforeAll(async () => {
  copy = copyProject();
  editFile(copy, 'shared/api/data-format.ts', (text) =>
    text.replace(`dataFormat = ${dataFormat};`, `dataFormat = ${nextFormat};`),
  );
  editFile(copy, 'shared/storage/migration/migrations.ts', (text) =>
    text.replace(/\];\n$/, `${migration}\n];\n`),
  );
  nextAssembly = join(copy, 'assembly');
  await synthesiseRegistry(
    { project: copy, assembly: nextAssembly, environment: process.env },
    { signDecisions: 'true' },
  );
});
afterAll(() => rmSync(copy, { recursive: true }));

const readFixture = (): ReleaseData => {
  const fixture = readFixtures().findLast(({ format }) => format === dataFormat);
  if (!fixture) throw new Error('npm run fixture writes it');
  return fixture;
};

/** A client that submits packages, one after the other, and repeats what the storage refuses. */
interface Client {
  readonly name: string;
  /** The names of the submitted packages. */
  readonly submitted: string[];
  /** The number of refusals that asked to try again later. */
  refusals: number;
}

const mostSubmissions = 200;
const pauseMs = 50;

const submitAll = async (
  client: Client,
  { url, isOver }: { readonly url: () => string; readonly isOver: () => boolean },
): Promise<void> => {
  const { submitted } = client;
  while (!isOver() && submitted.length < mostSubmissions) {
    const body = { ecosystem: 'npm', name: `${client.name}-${submitted.length}`, version: '1.0.0' };
    const response = await fetch(`${url()}/api/v1/packages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === 201) submitted.push(body.name);
    else {
      expect(text).toMatch(/storage_unavailable/);
      expect(response.headers.get('retry-after')).toBe('5');
      client.refusals += 1;
    }
    await delay(pauseMs);
  }
};

/** Checks that all items of before the migration are in the new form. What functions wrote after it is theirs. */
const expectUpgraded = async (
  registry: TestRegistry,
  before: ReleaseData['tables'],
): Promise<void> => {
  const after = await readTables(registry.stack);
  for (const [id, name] of Object.entries(changed) as [TableId, string][]) {
    const toKey = (item: Items[number]): string =>
      JSON.stringify(Object.keys(formatKey(id)).map((key) => item[key]));
    const upgraded = new Set(after[id].filter((item) => 'added' in item).map(toKey));
    const items = before[id].filter((item) => name in item);
    expect(items.length, id).toBeGreaterThan(0);
    expect(
      items.filter((item) => !upgraded.has(toKey(item))),
      id,
    ).toEqual([]);
  }
  const formats = await readFormats(registry);
  expect(formats).toEqual(formats.map(() => ({ format: nextFormat })));
};

describe('a release of the next data format', () => {
  it('upgrades the tables while clients write, loses no write, and gives the same answers', async () => {
    const fixture = readFixture();
    const tables = openDataFolder(makeFastFolder('tables-'));
    const earlier = await startLoaded(fixture, { data: tables });
    const own = openDataFolder(makeFastFolder('next-'));
    const later = await TestRegistry.start({
      ...settings,
      clock: makeClock(fixture.recordedAt),
      assembly: nextAssembly,
      // The tables of the earlier release, for functions of the next one.
      data: { ...own, accessKeyId: tables.accessKeyId },
      dynamodbEndpoint: earlier.stack.endpoints.dynamodb,
    });
    let current = earlier.url;
    let isOver = false;
    const clients = ['one', 'two', 'three'].map(
      (name): Client => ({ name, submitted: [], refusals: 0 }),
    );
    const ended = Promise.all(
      clients.map((client) => submitAll(client, { url: () => current, isOver: () => isOver })),
    );
    const submitMore = (): Promise<unknown> => {
      const counts = clients.map(({ submitted }) => submitted.length);
      return until(() =>
        clients.every(({ submitted }, at) => submitted.length > (counts[at] ?? 0) + 1),
      );
    };
    await submitMore();

    current = later.url;
    const before = await readTables(earlier.stack);
    await migrate(later, nextAssembly);
    await submitMore();
    isOver = true;
    await ended;

    expect(clients.every(({ refusals }) => refusals > 0)).toBe(true);
    for (const name of clients.flatMap(({ submitted }) => submitted)) {
      expect((await later.get(packagePath(name))).status, name).toBe(200);
    }
    const answers = fixture.answers.filter(({ path }) => !changes.test(path));
    const read = await readAnswers(
      later,
      answers.map(({ path }) => path),
    );
    expect(read).toEqual(answers);
    await expectUpgraded(later, before);
    await later.close();
    await earlier.close();
  });

  it('upgrades the local folder at its start, and gives the same answers', async () => {
    const fixture = readFixture();
    const data = makeFastFolder('upgrade-');
    const first = await startLoaded(fixture, { data, licenses: true });
    await first.close();

    const second = await startLoaded(fixture, { data, licenses: true, assembly: nextAssembly });
    const read = await readAnswers(
      second,
      fixture.answers.map(({ path }) => path),
    );
    expect(read).toEqual(fixture.answers);
    await expectUpgraded(second, fixture.tables);
    await second.close();
  });
});
