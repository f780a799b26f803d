import { afterAll, beforeAll, expect, it } from 'vitest';
import { maliciousFields, servePackage } from '../support/changed-package.ts';
import { CommandLine } from '../support/command-line.ts';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

let commandLine: CommandLine;
let registry: TestRegistry;
let origin: OriginServer;

const [olderAt, newerAt] = ['2026-03-27T00:21:58.000Z', '2026-03-31T00:21:58.000Z'] as const;

/** Fields of a version with a dependency that the one before does not have. */
const withAdded = {
  ...maliciousFields,
  dependencies: { 'follow-redirects': '^1.15.0', 'plain-crypto-js': '^4.2.1' },
};

beforeAll(async () => {
  commandLine = CommandLine.install();
  origin = await startOriginServer();
  registry = await TestRegistry.start({ originUrl: origin.url });
  const safe = { dependencies: { 'follow-redirects': '^1.15.0' } };
  for (const name of ['axios', 'unknown-before']) {
    servePackage(origin, name, [
      { version: '1.14.0', at: olderAt, fields: safe },
      { version: '1.14.1', at: newerAt, fields: withAdded },
    ]);
  }
  await submit('1.14.0');
  await registry.post(packagePath('axios', '/approve'));
  await submit('1.14.1');
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
  await origin.close();
});

/** Submits a version, and waits for its upstream metadata. */
const submit = async (version: string, name = 'axios'): Promise<void> => {
  await registry.submit({ ecosystem: 'npm', name, version });
  const path = packagePath(name, `/evidence?version=${version}`);
  await until(async () => (await registry.get(path)).body.facts?.found === 'yes');
};

const run = (...args: string[]) => commandLine.run(args, { env: { REGISTRY_URL: registry.url } });

it('shows what changed since the approved version, and no more', async () => {
  const { code, stdout, stderr } = await run('diff', 'axios@1.14.1');

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`npm:axios@1.14.1
Published 2026-03-31T00:21:58Z, 4 days after 1.14.0.
Changes since 1.14.0 (approved):
+ install script postinstall: node setup.js
+ dependency plain-crypto-js: ^4.2.1 (not in the registry; age unknown)
~ publisher: GitHub Actions → jason
- trusted publisher: github
- provenance: present
~ size: 1,000,000 bytes → 1,000,100 bytes
`);
});

it('compares with a named version, without a request to the origin', async () => {
  const before = origin.requests.length;
  const same = await run('diff', 'axios@1.14.1', '--since', '1.14.1');
  const json = await run('diff', 'npm:axios', '--since', '1.14.0', '--json');
  const missing = await run('diff', 'axios@1.14.1', '--since', '1.0.0');

  expect(same.stdout).toContain('Changes since 1.14.1 (pending):\nNo change in what is known.\n');
  expect(JSON.parse(json.stdout)).toMatchObject({
    version: '1.14.1',
    since: '1.14.0',
    change_count: 6,
  });
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('axios 1.0.0')]);
  expect(origin.requests).toHaveLength(before);
});

it('says that there is nothing to compare with', async () => {
  const { stdout } = await run('diff', 'axios@1.14.0');

  expect(stdout).toBe(`npm:axios@1.14.0
Published 2026-03-27T00:21:58Z.
The registry has no earlier version to compare with.
`);
});

it('compares with a version that the registry does not have, but not its files', async () => {
  await submit('1.14.1', 'unknown-before');

  const changes = await run('diff', 'unknown-before@1.14.1');
  const files = await run('diff', 'unknown-before@1.14.1', '--files');

  expect(changes.stdout).toContain('Changes since 1.14.0 (not in the registry):\n+ install script');
  expect(changes.stdout).toContain(
    '1.14.0 is not approved: nobody may have reviewed what both versions contain.\n',
  );
  expect([files.code, files.stdout]).toEqual([1, '']);
  expect(files.stderr).toContain('npm:unknown-before@1.14.0 is not in the registry');
  expect(files.stderr).toContain('registry diff npm:unknown-before@1.14.1 --files --since VERSION');
});

it('shows the same changes first in the evidence', async () => {
  const { stdout: alone } = await run('diff', 'axios@1.14.1');
  const { stdout } = await run('show', 'axios@1.14.1', '--evidence');

  const [title, ...lines] = alone.trimEnd().split('\n');
  expect(stdout.split('\n').slice(0, lines.length + 3)).toEqual([
    `${title}  pending`,
    'Upgrade of approved 1.14.0, patch',
    ...lines,
    '',
  ]);
});
