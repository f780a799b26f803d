import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ecosystems } from '../shared/ecosystems/ecosystem.ts';

const folders = ['cli', 'docs', 'functions', 'infra', 'local-aws', 'shared', 'test'];
const read = /\.(?:ts|mjs|json|md)$/;

const listFiles = (): string[] => {
  const below = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => read.test(file) && !file.includes('node_modules'))
      .map((file) => join(folder, file)),
  );
  return [...below, ...readdirSync('.').filter((file) => file.endsWith('.md'))];
};

/** The hosts of a registry are called after its packages. The name of what a `pom.xml` is written in is no address. */
const isRegistry = (host: string): boolean =>
  ecosystems.some((ecosystem) => host.includes(ecosystem)) && host !== 'maven.apache.org';

it('contains no address of a real registry, so that no code sends requests to one', () => {
  const found = listFiles().flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bhttps?:\/\/([a-z0-9.-]+)/gi)]
      .map(([, host = '']) => ({ file, host: host.toLowerCase() }))
      .filter(({ host }) => isRegistry(host)),
  );

  expect(found).toEqual([]);
});
