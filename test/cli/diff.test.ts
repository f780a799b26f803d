import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

let commandLine: CommandLine;
let registry: TestRegistry;
let origin: OriginServer;

/** Returns a version as npm's registry has it, published with a trusted publisher and provenance. */
const toVersion = (version: string, fields: object = {}) => ({
  ...{ name: 'axios', version, license: 'MIT' },
  repository: { url: 'git+https://code.example/axios/axios.git' },
  _npmUser: { name: 'GitHub Actions', trustedPublisher: { id: 'github' } },
  maintainers: [{ name: 'jason' }],
  dependencies: { 'follow-redirects': '^1.15.0' },
  dist: {
    tarball: `${origin.url}/axios-${version}.tgz`,
    integrity: `sha512-${Buffer.from(version.padEnd(64)).toString('base64')}`,
    signatures: [],
    attestations: { url: `${origin.url}/attestations` },
    ...{ unpackedSize: 1_000_000, fileCount: 80 },
  },
  ...fields,
});

beforeAll(async () => {
  commandLine = CommandLine.install();
  origin = await startOriginServer();
  registry = await TestRegistry.start({ originUrl: origin.url });
  const malicious = toVersion('1.14.1', {
    _npmUser: { name: 'jason' },
    dependencies: { 'follow-redirects': '^1.15.0', 'plain-crypto-js': '^4.2.1' },
    scripts: { postinstall: 'node setup.js' },
  });
  const { attestations: _, ...dist } = malicious.dist;
  origin.serve('/npm/axios', {
    body: {
      ...{ name: 'axios', 'dist-tags': { latest: '1.14.1' } },
      time: { '1.14.0': '2026-03-27T00:21:58.000Z', '1.14.1': '2026-03-31T00:21:58.000Z' },
      versions: {
        '1.14.0': toVersion('1.14.0'),
        '1.14.1': { ...malicious, dist: { ...dist, unpackedSize: 1_000_100 } },
      },
    },
  });
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
const submit = async (version: string): Promise<void> => {
  await registry.submit({ ecosystem: 'npm', name: 'axios', version });
  const path = packagePath('axios', `/evidence?version=${version}`);
  await until(async () => (await registry.get(path)).body.facts?.found === 'yes');
};

const run = (...args: string[]) => commandLine.run(args, { env: { REGISTRY_URL: registry.url } });

it('shows what changed since the approved version, and no more', async () => {
  const { code, stdout, stderr } = await run('diff', 'axios@1.14.1');

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`npm:axios@1.14.1
Published 2026-03-31T00:21:58Z, 4d after 1.14.0.
Changes since 1.14.0 (approved):
+ install script postinstall: node setup.js
+ dependency plain-crypto-js: ^4.2.1 (not in the registry)
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
