import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseSettings } from '../../infra/config.ts';
import { readImageRegistries } from '../../infra/image-registries.ts';
import { goWithout } from '../../infra/local/synthesis.ts';
import { SettingsError } from '../../infra/settings-error.ts';
import { imageRegistriesFile } from '../../shared/api/resources.ts';
import { workers } from '../../shared/api/workers.ts';
import { functionOf } from '../support/functions.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'image-registries-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const readContent = (content: unknown, environment = 'development') => {
  const imageRegistries = join(directory, 'registries.json');
  writeFileSync(imageRegistries, typeof content === 'string' ? content : JSON.stringify(content));
  return readImageRegistries(parseSettings({ imageRegistries, environment }));
};

/** Reads a file with these registries. */
const readWith = (registries: readonly unknown[], environment?: string) =>
  readContent({ registries }, environment).registries;

describe('the image registries', () => {
  it('are public ones by default, with https URLs without a path', () => {
    const { registries } = readImageRegistries(parseSettings({}));

    expect(registries.map(({ host }) => host)).toEqual([
      'docker.io',
      'ghcr.io',
      'quay.io',
      'registry.k8s.io',
      'mcr.microsoft.com',
      'public.ecr.aws',
      'gcr.io',
      'registry.gitlab.com',
    ]);
    for (const { host, url } of registries) {
      expect(url).toBe(`https://${host === 'docker.io' ? 'index.docker.io' : host}`);
    }
  });

  it('may have a port, and a mirror with a path', () => {
    const url = 'https://mirror.example.com/oci';

    expect(
      readWith(
        [
          { host: 'registry.example.com:5000' },
          { host: 'localhost:5000' },
          { host: 'registry.example.com:443' },
          { host: 'docker.io', url: `${url}/` },
        ],
        'production',
      ),
    ).toEqual([
      { host: 'registry.example.com:5000', url: 'https://registry.example.com:5000' },
      { host: 'localhost:5000', url: 'https://localhost:5000' },
      { host: 'registry.example.com:443', url: 'https://registry.example.com:443' },
      { host: 'docker.io', url },
    ]);
  });

  it('may be at an http URL of this machine, but not in production', () => {
    const local = ['http://localhost:5000', 'http://127.0.0.1:5000', 'http://[::1]:5000'];
    const registries = local.map((url, at) => ({ host: `r${at}.example.com`, url }));

    expect(readWith(registries)).toEqual(registries);
    expect(() => readWith(registries, 'production')).toThrow(
      /^imageRegistries: .*registries\.json: the url of r0\.example\.com must be an https URL in production\n.*r1.*\n.*r2.*$/,
    );
  });

  it('are at most 100', () => {
    const registries = Array.from({ length: 101 }, (_, at) => ({ host: `r${at}.example.com` }));

    expect(readWith(registries.slice(1))).toHaveLength(100);
    expect(() => readWith(registries)).toThrow(/: registries must have at most 100 registries$/);
  });

  const hostFault = /: registries\.0\.host must be a host as in image names, in lower case .*$/;
  const itemFault =
    /: registries\.0 must be an object with host, an optional url, and nothing else$/;
  const urlFault = /: registries\.0\.url must be the https URL of the API, .*$/;

  it.each<[string, unknown, RegExp]>([
    ['no JSON', '{', /^imageRegistries: cannot read .*registries\.json: /],
    ['a list', [], /registries\.json: must be an object with registries and nothing else$/],
    ['no registries', {}, /: registries must be a list of registries$/],
    [
      'another field',
      { registries: [], version: 1 },
      /: must be an object with registries and nothing else$/,
    ],
    ['a text', { registries: ['ghcr.io'] }, itemFault],
    ['a password', { registries: [{ host: 'ghcr.io', password: 'x' }] }, itemFault],
    ['no host', { registries: [{}] }, hostFault],
    [
      'a host twice',
      { registries: [{ host: 'ghcr.io' }, { host: 'ghcr.io', url: 'https://a.example' }] },
      /: registries\.1\.host must be in the list once, not twice: ghcr\.io$/,
    ],
    ...['index.docker.io', 'registry-1.docker.io'].map((host): [string, unknown, RegExp] => [
      host,
      { registries: [{ host }] },
      /: registries\.0\.host must be docker\.io for Docker Hub$/,
    ]),
    ...[
      ...[
        'GHCR.io',
        'GHCR.IO',
        'https://ghcr.io',
        'ghcr.io/owner',
        'ghcr.io/',
        'registry',
        'a..example',
      ],
      ...['a_b.example', 'me@a.example', 'a.example:x', 'a.example:70000'],
      ...['[::1]:5000', 'a.example?', '127.1', '', ' ghcr.io', '*.example.com'],
    ].map((host): [string, unknown, RegExp] => [
      `the host ${host}`,
      { registries: [{ host }] },
      hostFault,
    ]),
    ...[
      ...['ghcr.io', 'ftp://a.example', 'https://me:pw@a.example', 'https://a.example?b'],
      ...['https://a.example/#b', 'https://a.example/v2', 'https://a.example/v2/', 'https://'],
      ...['http://a.example', 'http://10.0.0.1:5000', 'http://localhost.a.example'],
    ].map((url): [string, unknown, RegExp] => [
      `the URL ${url}`,
      { registries: [{ host: 'a.example', url }] },
      urlFault,
    ]),
  ])('cannot have %s, which is one line', (_, content, message) => {
    expect(() => readContent(content)).toThrow(SettingsError);
    expect(() => readContent(content)).toThrow(message);
  });

  it('have one line for each error', () => {
    expect(() => readWith([{ host: 'A' }, { host: 'ghcr.io', url: 'b' }])).toThrow(
      /^imageRegistries: .*registries\.0\.host .*\nimageRegistries: .*registries\.1\.url .*$/,
    );
  });

  it('are beside the code of the worker that sends requests to them, and of no other function', () => {
    const stack = readStack(inject('assembly'), { goWithout });
    const readers = Object.values(stack.functions).filter(({ codeDirectory }) =>
      readdirSync(codeDirectory).includes(imageRegistriesFile),
    );

    expect(readers.map(({ id }) => id)).toEqual([functionOf(stack, workers.collectFacts.id).id]);
    for (const { codeDirectory } of readers) {
      const text = readFileSync(join(codeDirectory, imageRegistriesFile), 'utf8');
      expect(JSON.parse(text)).toEqual(readImageRegistries(parseSettings({})));
    }
  });
});
