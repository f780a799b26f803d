import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandLine } from '../../../support/command-line.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import { json, type Scene, startScripted } from '../../../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const digest = `sha256:${'a'.repeat(64)}`;
const tagged = { ecosystem: 'docker', name: 'node', version: '22' };
const approved = {
  ...{ status: 'approved', allowed: true, expires_at: null, reasons: [] },
  ...{ rule: null, waits_for: [], waits_until: null },
};

let commandLine: CommandLine;
let registry: TestRegistry;
beforeAll(async () => {
  commandLine = CommandLine.install();
  registry = await TestRegistry.start({ tokens: `ci:${token}` });
  await registry.submit(tagged, { token });
  await registry.post(`${packagePath('node', '/approve')}?version=22`, {}, { token });
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const makeProject = (...lines: readonly string[]): string => {
  const folder = mkdtempSync(join(commandLine.folder, 'project-'));
  writeFileSync(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
  return folder;
};

/** Runs a check against a server with one answer for all checks, and returns the bodies of the requests. */
const checkAgainst = async (
  checked: object,
  args: readonly string[] = [],
  lines = [`FROM node:22@${digest}`],
) => {
  const answer: Scene = (response, request) => {
    const body = request.url?.endsWith('/check')
      ? { allowed: true, counts: {}, packages: [checked] }
      : {
          ...{ project: 'shop', ref: 'main', number: 1, digest: 'd', versions: 1 },
          ...{ changed: true, added: 1, removed: 0 },
        };
    json(200, body)(response, request);
  };
  const server = await startScripted(answer);
  try {
    const ended = await commandLine.run(['check', ...args], {
      cwd: makeProject(...lines),
      env: { REGISTRY_URL: server.url, REGISTRY_TOKEN: token },
    });
    return { ...ended, sent: server.received.map(({ body }) => JSON.parse(body)) };
  } finally {
    await server.close();
  }
};

it('sends the tag with the digest as its hash', async () => {
  const { code, sent } = await checkAgainst({ ...tagged, ...approved, content: 'same' });

  expect(code).toBe(0);
  expect(sent).toEqual([{ packages: [{ ...tagged, hashes: [digest] }], allow: [] }]);
});

it.each([[{}], [{ content: 'unknown' }], [{ version: `sha256:${'b'.repeat(64)}` }]])(
  'has no result if the answer is not about the digest: %j',
  async (some) => {
    const { code, stderr } = await checkAgainst({ ...tagged, ...approved, ...some });

    expect(code).toBe(3);
    expect(stderr).toContain('It is unknown whether these packages may be used.');
  },
);

it.each(['22', `${digest}\nRUN true`, 'sha256:ABC'])(
  'has no result if the pinned digest is none: %j',
  async (pinned_digest) => {
    const answer = { ...tagged, ...approved, pinned_digest };

    expect((await checkAgainst(answer, ['--fix'], ['FROM node:22'])).code).toBe(3);
  },
);

it.each([
  ['the tag that decided', { content: 'same' }, '22'],
  ['the digest that decided', { version: digest }, digest],
  ['a digest that is not that of its tag', { content: 'other', allowed: false }, digest],
])('records %s', async (_, some, version) => {
  const { sent } = await checkAgainst({ ...tagged, ...approved, ...some }, ['--record', 'shop']);

  expect(sent.at(-1).versions).toEqual([
    { ...tagged, version, direct: true, files: ['Dockerfile'] },
  ]);
});

it('records a version once that the files name with and without its digest', async () => {
  const both = { ...tagged, ...approved, content: 'same' };
  const server = await startScripted((response, request) => {
    const { packages = [] } = JSON.parse(server.received.at(-1)?.body ?? '{}');
    const answer = request.url?.endsWith('/check')
      ? { packages: packages.map(() => both) }
      : { project: 'shop', ref: 'main', number: 1, digest: 'd', versions: 1 };
    json(200, answer)(response, request);
  });
  await commandLine.run(['check', '--record', 'shop'], {
    cwd: makeProject('FROM node:22', `FROM node:22@${digest}`),
    env: { REGISTRY_URL: server.url, REGISTRY_TOKEN: token },
  });
  await server.close();

  const { versions } = JSON.parse(server.received.at(-1)?.body ?? '');
  expect(versions).toEqual([{ ...tagged, direct: true, files: ['Dockerfile'] }]);
});

it('submits the digest of an image whose tag pinned none', async () => {
  const { code, stdout } = await commandLine.run(
    ['check', '--submit', '--allow', 'pending', '--json'],
    {
      cwd: makeProject(`FROM node:22@${digest}`, `FROM node:23@${digest}`),
      env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token },
    },
  );

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    submission: { submitted: 1, submitted_packages: [{ name: 'node', version: digest }] },
    packages: [
      { version: digest, tag: '22', status: 'pending' },
      { version: digest, tag: '23', status: 'pending' },
    ],
  });
});
