import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { CommandLine } from '../support/command-line.ts';
import {
  json,
  type Scene,
  type ScriptedServer,
  startScripted,
} from '../support/scripted-server.ts';

const packages: Readonly<Record<string, object>> = {
  '@acme/lib': { '1.0.0': { util: '^1.0.0' } },
  util: { '1.0.0': {}, '1.1.0': {} },
};

const showPackage: Scene = (response, request) => {
  const name = decodeURIComponent(request.url ?? '').slice(1);
  const versions = Object.entries(packages[name] ?? {}).map(([version, dependencies]) => {
    const dist = {
      tarball: `${mirror.url}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
      shasum: '0'.repeat(40),
    };
    return [version, { name, version, dependencies, dist }] as const;
  });
  const latest = versions.at(-1)?.[0];
  const body = { name, 'dist-tags': { latest }, versions: Object.fromEntries(versions) };
  json(latest ? 200 : 404, body)(response, request);
};

/** The registry does not know any package, and its gate refuses all of them. */
const refuse: Scene = (response, request) => {
  if (request.url?.startsWith('/npm/')) return json(403, {})(response, request);
  if (request.url?.endsWith('/policy'))
    return json(200, { rules: [], run: null })(response, request);
  const { body = '' } = registry.received.at(-1) ?? {};
  const asked: PackageId[] = JSON.parse(body).packages;
  const checked = asked.map((id) => ({
    ...{ ...id, status: 'unknown', allowed: false, expires_at: null, reasons: [], rule: null },
    ...{ waits_for: [], waits_until: null },
  }));
  json(200, { packages: checked, origins: {} })(response, request);
};

let commandLine: CommandLine;
let mirror: ScriptedServer;
let registry: ScriptedServer;
let project: string;

beforeAll(async () => {
  mirror = await startScripted(showPackage);
  registry = await startScripted(refuse);
  commandLine = CommandLine.install({ REGISTRY_URL: registry.url });
  project = mkdtempSync(join(commandLine.folder, 'project-'));
});
afterAll(async () => {
  commandLine.remove();
  await mirror.close();
  await registry.close();
});

const put = (file: string, content: object): void => {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), JSON.stringify(content));
};

it('resolves a workspace with npm against its lockfile, from a mirror and never from the gate', async () => {
  writeFileSync(
    join(commandLine.folder, '.npmrc'),
    `registry=${mirror.url}/\n@acme:registry=${registry.url}/npm/\n`,
  );
  writeFileSync(join(project, '.npmrc'), `registry=${registry.url}/npm/\n`);
  const root = { name: 'root', version: '1.0.0', workspaces: ['packages/*'] };
  const member = { name: 'member', version: '1.0.0', dependencies: { util: '^1.0.0' } };
  put('package.json', root);
  put('packages/member/package.json', member);
  put('package-lock.json', {
    ...{ name: 'root', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: {
      '': root,
      'packages/member': member,
      'node_modules/member': { resolved: 'packages/member', link: true },
      'node_modules/util': { version: '1.0.0' },
    },
  });
  const env = {
    npm_config_cache: join(commandLine.folder, '.cache'),
    npm_config_fetch_retries: '0',
  };

  const { stdout, stderr } = await commandLine.run(['request', '@acme/lib', '--dry-run'], {
    cwd: project,
    env,
  });

  // The lockfile has a version of util in the range of lib, so that lib brings no other one.
  expect(stdout, stderr).toBe('npm:@acme/lib@1.0.0 unknown\n');
  expect(registry.received.filter(({ url }) => url?.startsWith('/npm/'))).toEqual([]);
});
