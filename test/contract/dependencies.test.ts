import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
let origin: OriginServer;

const submit = (name: string, version: string) =>
  registry.submit({ ecosystem: 'npm', name, version });

beforeAll(async () => {
  origin = await startOriginServer();
  registry = await TestRegistry.start({ originUrl: origin.url, events: true });
  const dependencies = {
    ...{ met: '^1.0.0', narrow: '^2.0.0', waiting: '*', refused: '*', absent: '~3.1.0' },
  };
  const dist = { tarball: `${origin.url}/needy.tgz`, shasum: 'a'.repeat(40) };
  const published = { name: 'needy', version: '1.0.0', dist, dependencies };
  origin.serve('/npm/needy', { body: { name: 'needy', versions: { '1.0.0': published } } });
  for (const [name, version] of [
    ['met', '1.0.0'],
    ['met', '1.2.0'],
    ['met', '3.0.0'],
    ['narrow', '1.0.0'],
  ] as const) {
    await submit(name, version);
    await registry.post(packagePath(name, `/approve?version=${version}`), {});
  }
  await submit('waiting', '1.0.0');
  await submit('refused', '1.0.0');
  await registry.post(packagePath('refused', '/reject'), { reason: 'no' });
  await submit('needy', '1.0.0');
  const path = packagePath('needy', '/evidence');
  await until(async () => (await registry.get(path)).body.facts !== null);
});
afterAll(() => Promise.all([registry?.close(), origin?.close()]));

it('lists each mandatory dependency with its status, and the version that has it', async () => {
  const { status, body } = await registry.get(packagePath('needy', '/dependencies'));

  expect(status).toBe(200);
  expect(body).toEqual({
    ...{ ecosystem: 'npm', name: 'needy', version: '1.0.0', total: 5, checked: 5 },
    dependencies: [
      { name: 'met', range: '^1.0.0', status: 'approved', version: '1.2.0' },
      { name: 'narrow', range: '^2.0.0', status: 'out_of_range', version: '1.0.0' },
      { name: 'waiting', range: '*', status: 'pending', version: '1.0.0' },
      { name: 'refused', range: '*', status: 'rejected', version: '1.0.0' },
      { name: 'absent', range: '~3.1.0', status: 'not_in_registry', version: null },
    ],
  });
});

it('has no list for a version without upstream metadata', async () => {
  const { body } = await registry.get(packagePath('waiting', '/dependencies'));

  expect(body).toMatchObject({ dependencies: null, total: 0, checked: 0 });
});

it('refuses an unknown package', async () => {
  expect(await registry.get(packagePath('absent', '/dependencies'))).toMatchObject({
    status: 404,
    body: { code: 'package_not_found' },
  });
});
