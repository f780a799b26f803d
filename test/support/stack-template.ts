import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStack } from '@package-registry/local-aws';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { afterAll, inject } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { parseSettings } from '../../infra/config.ts';
import type { FunctionCode } from '../../infra/constructs/function-bundles.ts';
import { goWithout } from '../../infra/local/synthesis.ts';
import { RegistryStack } from '../../infra/registry-stack.ts';
import { makeFastFolder } from './fast-folder.ts';
import { functionOf } from './functions.ts';

type Context = Readonly<Record<string, unknown>>;

const assembly = readStack(inject('assembly'), { goWithout });

type Files = Readonly<Record<string, string>>;

const hasFiles = (directory: string, files: Files): boolean =>
  Object.entries(files).every(
    ([name, text]) =>
      existsSync(join(directory, name)) && readFileSync(join(directory, name), 'utf8') === text,
  );

const copies: string[] = [];
afterAll(() => {
  for (const copy of copies.splice(0)) rmSync(copy, { recursive: true });
});

/** Returns a folder with these files until the tests of the file end: a copy, if the files differ. */
const provideWith = (directory: string, files: Files): string => {
  if (hasFiles(directory, files)) return directory;
  const copy = makeFastFolder('bundle-');
  copies.push(copy);
  cpSync(directory, copy, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(copy, name), text);
  return copy;
};

/** The bundles of the assembly that all tests share. */
export const sharedCode: FunctionCode = {
  codeOf: (id, files = {}) =>
    Code.fromAsset(provideWith(functionOf(assembly, id).codeDirectory, files)),
};

/** The stack with these settings, in an app with the project's feature flags and this further context. */
export const makeStack = (settings: Context = {}, context: Context = {}): RegistryStack => {
  const app = new App({ context: { ...cdkJson.context, ...context } });
  return new RegistryStack(app, parseSettings(settings), sharedCode);
};

/** The template of the stack with these settings. */
export const synthesiseStack = (settings?: Context): Template =>
  Template.fromStack(makeStack(settings));
