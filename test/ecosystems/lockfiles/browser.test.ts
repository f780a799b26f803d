import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { beforeAll, expect, it } from 'vitest';
import type { DependencyFile } from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { exampleText, listDependencies, readExample } from './example.ts';

/** What browsers have, and a bare context has not. */
const ofBrowsers = { atob, URL, URLSearchParams, TextDecoder, TextEncoder };

let script: string;
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['shared/ecosystems/parse-dependency-file.ts'],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'reader',
    write: false,
    logLevel: 'error',
  });
  script = outputFiles.map(({ text }) => text).join('');
});

const readInBrowser = (path: string): DependencyFile => {
  const context = createContext({ ...ofBrowsers, path, text: exampleText(path) });
  runInContext(script, context);
  return JSON.parse(runInContext('JSON.stringify(reader.readDependencyFile(path, text))', context));
};

it.each([
  'npm-12/package-lock.json',
  'pnpm-9/pnpm-lock.yaml',
  'yarn-1/yarn.lock',
  'yarn-4/yarn.lock',
  'bun-1.4/bun.lock',
  'uv-0.13/uv.lock',
  'pip-tools-7/requirements.txt',
  'bills/npm-10.cdx.json',
])('reads %s without anything of Node.js', (path) => {
  const file = readInBrowser(path);

  expect(file.dependencies.length).toBeGreaterThan(3);
  expect(listDependencies(file)).toEqual(listDependencies(readExample(path)));
});

it('reads XML and Dockerfiles there, too', () => {
  const pom =
    '<project><modelVersion>4.0.0</modelVersion><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>';
  const context = createContext({ ...ofBrowsers, pom });
  runInContext(script, context);

  expect(
    runInContext("reader.readDependencyFile('pom.xml', pom).dependencies.length", context),
  ).toBe(1);
  expect(
    runInContext(
      "reader.readDependencyFile('Dockerfile', 'FROM node:22').dependencies[0].name",
      context,
    ),
  ).toBe('node');
});

it('stays small enough for a page', () => {
  expect(script.length).toBeLessThan(256 * 1024);
});
