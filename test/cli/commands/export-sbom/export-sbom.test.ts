import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../../../support/command-line.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import { json, type Scene, startScripted } from '../../../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

const versions = [
  { ecosystem: 'npm', name: '@acme/pad', version: '1.0.0', direct: true },
  { ecosystem: 'pypi', name: 'zope-interface', version: '6.0', direct: false },
  { ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.9', direct: true },
  { ecosystem: 'docker', name: 'ghcr.io/acme/shop', version: '2.4.0', direct: true },
] as const;

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, tokens: `ci:${token}` });
  commandLine = CommandLine.install();
  const [first, second] = versions;
  for (const { ecosystem, name, version } of [first, second]) {
    await registry.submit({ ecosystem, name, version, license: 'mit' }, { token });
  }
  await registry.post(packagePath(first.name, '/approve'), { reason: 'Small' }, { token });
  for (const ref of ['main', 'release-2']) {
    const listed = ref === 'main' ? versions : [first];
    const body = { ref, versions: listed };
    await registry.post('/api/v1/projects/acme%2Fshop/snapshots', body, { token });
  }
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  commandLine.run(args, {
    env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token, ...env },
  });

const purlsOf = (text: string): string[] =>
  JSON.parse(text).components.map(({ purl }: { purl: string }) => purl);

describe('export sbom', () => {
  it('writes the snapshot of a project, which a check reads with the same packages', async () => {
    const file = join(commandLine.folder, 'sbom/bom.json');

    const written = await run(['export', 'sbom', '--project', 'acme/shop', '--file', file]);
    const checked = await run(['check', file, '--json']);

    expect(written).toMatchObject({ code: 0, stderr: '4 versions of acme/shop (main).\n' });
    expect(readdirSync(join(commandLine.folder, 'sbom'))).toEqual(['bom.json']);
    const { packages } = JSON.parse(checked.stdout);
    const names = packages.map(({ ecosystem, name, version }: Record<string, string>) => ({
      ...{ ecosystem, name, version },
    }));
    expect(new Set(names)).toEqual(new Set(versions.map(({ direct: _, ...one }) => one)));
  });

  it('has licenses of the registry, and the direct dependencies of the project', async () => {
    const { stdout } = await run(['export', 'sbom', '--project', 'acme/shop']);

    const { components, dependencies } = JSON.parse(stdout);
    const pad = components.find(({ name }: { name: string }) => name === 'pad');
    expect(pad).toMatchObject({ group: '@acme', licenses: [{ license: { id: 'MIT' } }] });
    expect(dependencies).toEqual([
      {
        ref: 'project:acme/shop@main',
        dependsOn: [
          'pkg:docker/acme/shop@2.4.0?repository_url=ghcr.io',
          'pkg:maven/org.slf4j/slf4j-api@2.0.9',
          'pkg:npm/%40acme/pad@1.0.0',
        ],
      },
    ]);
  });

  it('selects a ref, and leaves out details with --names-only', async () => {
    const args = ['export', 'sbom', '--project', 'acme/shop', '--ref', 'release-2'];

    const { stdout } = await run([...args, '--names-only']);

    expect(purlsOf(stdout)).toEqual(['pkg:npm/%40acme/pad@1.0.0']);
    expect(JSON.parse(stdout).components[0]).not.toHaveProperty('licenses');
  });

  it.each([
    ['an unknown project', ['--project', 'nowhere'], {}, 1, /nowhere/],
    ['no token', ['--project', 'acme/shop'], { REGISTRY_TOKEN: '' }, 1, /API key/i],
    ['no project', [], {}, 2, /'--project <project>' not specified/],
    ['rows', ['--project', 'acme/shop', '--jsonl'], {}, 2, /An SBOM is one JSON document/],
  ])('refuses %s', async (_, args, env, expected, message) => {
    const { code, stderr } = await run(['export', 'sbom', ...args], env);

    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
  });
});

const page = (digest: string, name: string, next: string | null): Scene =>
  json(200, {
    ...{ project: 'shop', owner: null, recorded_at: '2026-11-28T08:00:00.000Z', ref: 'main' },
    refs: [{ ref: 'main', digest }],
    versions: [
      {
        ...{ ecosystem: 'npm', name, version: '1.0.0', direct: null, files: [] },
        ...{ status: 'unknown', attention: [], own_package: false },
      },
    ],
    next,
  });

describe('a project that is recorded during the export', () => {
  it('is read again from its first page', async () => {
    const [old, changed] = [page('1', 'a', 'npm#a'), page('2', 'c', 'npm#c')];
    const server = await startScripted(old, page('2', 'd', null), changed, page('2', 'd', null));

    const { code, stdout } = await run(['export', 'sbom', '--project', 'shop'], {
      REGISTRY_URL: server.url,
    });

    await server.close();
    expect(code).toBe(0);
    expect(purlsOf(stdout)).toEqual(['pkg:npm/c@1.0.0', 'pkg:npm/d@1.0.0']);
    expect(server.received).toHaveLength(4);
  });

  it('fails after three attempts, and leaves no file', async () => {
    const scenes = [1, 2, 3, 4, 5, 6].map((at) => page(String(at), 'a', 'npm#a'));
    const server = await startScripted(...scenes);
    const file = join(commandLine.folder, 'late.json');

    const { code, stderr } = await run(['export', 'sbom', '--project', 'shop', '--file', file], {
      REGISTRY_URL: server.url,
    });

    await server.close();
    expect(code).toBe(3);
    expect(stderr).toContain('shop was recorded during the export. Try again.');
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});
