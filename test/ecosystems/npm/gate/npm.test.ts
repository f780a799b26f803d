import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { originAddresses } from '../../../../infra/origin-addresses.ts';
import { until } from '../../../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import { type PackageJson, publishAll } from './npm-origin.ts';
import { attest, keys, signVersion, writeSigstoreStandIn } from './npm-signatures.ts';

const pkg = (name: string, version: string, more: object = {}): PackageJson => ({
  ...{ name, version, license: 'MIT', main: 'index.js' },
  ...more,
});

const published = [
  pkg('@acme/app', '1.0.0', {
    dependencies: { '@acme/util': '^1.0.0', lib: '~2.0.0' },
    optionalDependencies: { 'native-linux': '1.0.0', 'native-other': '1.0.0' },
    peerDependencies: { lib: '*', 'native-other': '^1.0.0', nowhere: '*' },
    peerDependenciesMeta: { 'native-other': { optional: true }, nowhere: { optional: true } },
  }),
  pkg('@acme/util', '1.0.0'),
  pkg('@acme/util', '1.1.0'),
  pkg('@acme/util', '1.2.0'),
  pkg('lib', '2.0.0'),
  pkg('lib', '2.0.1'),
  pkg('lib', '2.1.0-beta.1'),
  pkg('native-linux', '1.0.0', { os: ['linux'] }),
  pkg('native-other', '1.0.0', { os: ['win32'] }),
  pkg('builder', '1.0.0', {
    peerDependencies: { styles: '^2.0.0' },
    peerDependenciesMeta: { styles: { optional: true } },
  }),
  pkg('styles', '1.0.0'),
  pkg('styles', '2.0.0'),
  pkg('late', '1.0.0'),
  pkg('tampered', '1.0.0'),
  pkg('forged', '1.0.0'),
  pkg('unsigned', '1.0.0'),
  pkg('attested', '1.0.0'),
];
const pending = ['@acme/util@1.2.0', 'native-other@1.0.0', 'styles@2.0.0'];
const approved = published.filter(({ name, version }) => !pending.includes(`${name}@${version}`));

let origin: OriginServer;
let registry: TestRegistry;
let folder: string;

const toId = ({ name, version }: PackageJson) => ({ ecosystem: 'npm', name, version });
/** Approves a version, also one whose signature by the origin the registry has found to be invalid. */
const approve = (one: PackageJson) =>
  registry.post(`${packagePath(one.name, '/approve')}?version=${one.version}`, {
    override: ['provenance_invalid'],
    reason: 'Its signature is tested here',
  });
const known = async (one: PackageJson): Promise<string> => {
  const path = `${packagePath(one.name, '/evidence')}?version=${encodeURIComponent(one.version)}`;
  return (await registry.get(path)).body.facts?.found;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registry-gate-npm-'));
  origin = await startOriginServer();
  origin.serve('/npm/-/npm/v1/keys', { body: keys });
  publishAll(origin, published, (manifest, integrity) => {
    const { name } = manifest;
    if (name === 'unsigned') return {};
    return {
      ...signVersion(manifest, integrity, name === 'forged' ? 'another@1.0.0:sha512-' : undefined),
      ...(name === 'attested' && attest(origin, manifest, integrity)),
    };
  });
  registry = await TestRegistry.start({ originUrl: origin.url });
  await Promise.all(published.map((one) => registry.submit(toId(one))));
  for (const one of published) {
    await until(async () => (await known(one)) === 'yes');
  }
  for (const one of approved) await approve(one);
});
afterAll(async () => {
  await registry.close();
  await origin.close();
  rmSync(folder, { recursive: true });
});

interface Outcome {
  readonly code: number;
  readonly text: string;
}

/** Runs npm in a project of its own, with nothing of this machine's settings and an empty cache. */
const npm = (project: string, ...args: readonly string[]): Promise<Outcome> =>
  npmIn({}, project, args);

/** Runs npm in a project, with more variables in its environment. */
const npmIn = (
  more: Readonly<Record<string, string>>,
  project: string,
  args: readonly string[],
): Promise<Outcome> => {
  const env = {
    PATH: process.env['PATH'],
    HOME: project,
    npm_config_registry: `${registry.url}/npm/`,
    npm_config_cache: join(project, '.cache'),
    npm_config_fetch_retries: '0',
    npm_config_update_notifier: 'false',
    npm_config_color: 'false',
    ...more,
  };
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: project, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, text: `${stdout}${stderr}` });
    });
  });
};

const makeProject = (dependencies: Readonly<Record<string, string>>): string => {
  const project = mkdtempSync(join(folder, 'project-'));
  const manifest = { name: 'project', version: '1.0.0', private: true, dependencies };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  return project;
};

/** A lockfile of before that holds the highest util, with the address of its file or without. */
const writeLock = (project: string, resolved: string | undefined): void => {
  const dependencies = { '@acme/util': '^1.0.0' };
  const lock = {
    ...{ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': { name: 'project', version: '1.0.0', dependencies },
      'node_modules/@acme/util': { version: '1.2.0', ...(resolved && { resolved }) },
    },
  };
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
};

const installed = (project: string, name: string): string =>
  JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')).version;

const readLock = (project: string) =>
  JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8'));

describe('npm', () => {
  it('installs a tree of what is approved: scopes, ranges, what is for this platform, without other optional peers', async () => {
    const project = makeProject({ '@acme/app': '^1.0.0' });

    const { code, text } = await npm(project, 'install');

    expect(text).not.toMatch(/ERR|vulnerab/);
    expect(code).toBe(0);
    expect(installed(project, '@acme/app')).toBe('1.0.0');
    expect(installed(project, '@acme/util')).toBe('1.1.0');
    expect(installed(project, 'lib')).toBe('2.0.1');
    expect(installed(project, 'native-linux')).toBe('1.0.0');
    const { packages } = readLock(project);
    expect(packages).not.toHaveProperty('node_modules/native-other');
    expect(packages['node_modules/lib'].resolved).toBe(`${registry.url}/npm/lib/-/lib-2.0.1.tgz`);
    expect(packages['node_modules/lib'].integrity).toMatch(/^sha512-/);
    expect(packages['node_modules/lib'].license).toBe('MIT');
  });

  it('installs beside an optional peer of which only versions out of range are approved', async () => {
    const project = makeProject({ builder: '*', styles: '*' });

    const { code, text } = await npm(project, 'install');

    expect(text).not.toMatch(/ERR|ETARGET/);
    expect(code).toBe(0);
    expect(installed(project, 'builder')).toBe('1.0.0');
    expect(installed(project, 'styles')).toBe('1.0.0');
  });

  it('finds no version that is not approved', async () => {
    const project = makeProject({ '@acme/util': '1.2.0' });

    const { code, text } = await npm(project, 'install');

    expect(code).not.toBe(0);
    expect(text).toContain('ETARGET');
  });

  it('is told of a package of which nothing is approved', async () => {
    const { code, text } = await npm(makeProject({ 'native-other': '*' }), 'install');

    expect(code).not.toBe(0);
    expect(text).toContain(
      'No version of native-other is approved; npm:native-other@1.0.0 waits for review',
    );
  });

  const file = (version: string) => `@acme/util/-/util-${version}.tgz`;

  it.each([
    ['of the public host', `${originAddresses().npm}${file('1.2.0')}`, 'npmjs'],
    ['of this gate', () => `${registry.url}/npm/${file('1.2.0')}`, 'npmjs'],
    ['of another gate', `https://old.example.com/npm/${file('1.2.0')}`, 'always'],
  ])(
    'does not install from an old lockfile %s what is not approved, and says why',
    async (_, resolved, replaced) => {
      const project = makeProject({ '@acme/util': '^1.0.0' });
      writeLock(project, typeof resolved === 'function' ? resolved() : resolved);

      const { code, text } = await npm(project, 'ci', `--replace-registry-host=${replaced}`);

      expect(code).not.toBe(0);
      expect(text).toContain('npm:@acme/util@1.2.0 waits for review; approved: 1.1.0');
    },
  );

  it('does not install from a lockfile without addresses what is not approved', async () => {
    const project = makeProject({ '@acme/util': '^1.0.0' });
    writeLock(project, undefined);

    const { code, text } = await npm(project, 'ci');

    expect(code).not.toBe(0);
    // It asks for no file then, so that nothing can tell it why.
    expect(text).toContain('No matching version found for @acme/util@1.2.0');
  });

  it('refuses a file that is not what was reviewed', async () => {
    const project = makeProject({ tampered: '1.0.0' });
    origin.serve('/tampered/-/tampered-1.0.0.tgz', { body: Buffer.from('something else') });

    const { code, text } = await npm(project, 'install');

    expect(code).not.toBe(0);
    expect(text).toContain('EINTEGRITY');
  });

  it('does not install again what was rejected since', async () => {
    const project = makeProject({ late: '1.0.0' });
    expect((await npm(project, 'install')).code).toBe(0);
    await registry.post(packagePath('late', '/reject'), { reason: 'Steals tokens' });
    rmSync(join(project, 'node_modules'), { recursive: true });
    rmSync(join(project, '.cache'), { recursive: true });

    const { code, text } = await npm(project, 'ci');

    expect(code).not.toBe(0);
    expect(text).toContain('npm:late@1.0.0 is rejected: Steals tokens');
    expect(existsSync(join(project, 'node_modules', 'late'))).toBe(false);
  });
});

describe('npm ci, with a lockfile of four packages', () => {
  const gateUrl = () => `${registry.url}/npm/`;
  const toPublic = (address: string): string => address.replace(gateUrl(), originAddresses().npm);

  /** Makes a project whose lockfile has each address changed, and an empty cache. */
  const lock = async (change: (address: string) => string | undefined): Promise<string> => {
    const project = makeProject({ '@acme/app': '^1.0.0' });
    expect((await npm(project, 'install', '--package-lock-only')).code).toBe(0);
    const { packages, ...others } = readLock(project);
    const changed = Object.entries<{ resolved?: string }>(packages).map(
      ([path, { resolved, ...one }]) => [
        path,
        { ...one, ...(resolved && { resolved: change(resolved) }) },
      ],
    );
    const text = JSON.stringify({ ...others, packages: Object.fromEntries(changed) });
    writeFileSync(join(project, 'package-lock.json'), text);
    rmSync(join(project, '.cache'), { recursive: true });
    return project;
  };

  it.each([
    ['the addresses of the gate', (address: string) => address, 0],
    ['public addresses', toPublic, 0],
    ['no addresses', () => undefined, 4],
  ])(
    'and %s requests each file once, and lists only without an address',
    async (_, change, lists) => {
      const project = await lock(change);
      const before = registry.logs.length;

      const { code } = await npm(project, 'ci', '--no-audit');

      const paths = registry.logs.slice(before).flatMap(({ path }) => (path ? [String(path)] : []));
      const files = paths.filter((path) => path.endsWith('.tgz'));
      expect(code).toBe(0);
      expect([files.length, paths.length - files.length]).toEqual([4, lists]);
    },
  );
});

describe('npm audit signatures', () => {
  const audit = async (...names: readonly string[]): Promise<Outcome> => {
    const project = makeProject(Object.fromEntries(names.map((name) => [name, '*'])));
    expect((await npm(project, 'install')).code).toBe(0);
    const preload = { NODE_OPTIONS: `--require ${writeSigstoreStandIn(project)}` };
    return npmIn(preload, project, ['audit', 'signatures']);
  };

  it('verifies the signatures of approved versions with the keys of the origin', async () => {
    const { code, text } = await audit('@acme/util', 'lib');

    expect(text).toContain('2 packages have verified registry signatures');
    expect(code).toBe(0);
  });

  it.each([
    ['forged', '1 package has an invalid registry signature'],
    ['unsigned', '1 package has a missing registry signature'],
  ])('reports the package %s: %s', async (name, report) => {
    const { code, text } = await audit('lib', name);

    expect(code).toBe(1);
    expect(text).toContain('1 package has a verified registry signature');
    expect(text).toContain(report);
    expect(text).toContain(`${name}@1.0.0`);
  });

  it('downloads the attestations of approved versions, and verifies them', async () => {
    const { code, text } = await audit('attested');

    const path = '/-/npm/v1/attestations/attested@1.0.0';
    expect(origin.requests.map((request) => request.path)).toContain(path);
    // No authority has signed the attestation of this test.
    expect(text).toContain('1 package has an invalid attestation');
    expect(code).toBe(1);
  });

  it('has no answer about vulnerabilities: an empty one would pass for a clean one', async () => {
    const project = makeProject({ lib: '*' });
    await npm(project, 'install');

    const { code, text } = await npm(project, 'audit');

    expect(code).not.toBe(0);
    expect(text).not.toContain('found 0 vulnerabilities');
  });
});
