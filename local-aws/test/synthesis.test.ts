import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../src/start-error.ts';
import { type SynthesisOptions, synthesise } from '../src/synthesis.ts';

/** App that writes its context, environment and directory to a file. */
const reporter = `
import { mkdirSync, writeFileSync } from 'node:fs';
const { CDK_OUTDIR, CDK_CONTEXT_JSON, CDK_VALIDATION, GIVEN } = process.env;
mkdirSync(CDK_OUTDIR);
writeFileSync(CDK_OUTDIR + '/report.json', JSON.stringify({
  context: JSON.parse(CDK_CONTEXT_JSON), validation: CDK_VALIDATION, given: GIVEN,
  node: process.execPath, directory: process.cwd(),
}));
`;

let project: string;
let assembly: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'synthesis-'));
  assembly = join(project, 'assembly');
  writeFileSync(join(project, 'report.mjs'), reporter);
});

afterEach(() => rmSync(project, { recursive: true }));

const writeProject = (content: object | string): void => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(project, 'cdk.json'), text);
};

const run = (options: Partial<SynthesisOptions> = {}): Promise<boolean> =>
  synthesise({ project, assembly, environment: process.env, ...options });

const readReport = () => JSON.parse(readFileSync(join(assembly, 'report.json'), 'utf8'));

describe('synthesis', () => {
  it('runs the app of cdk.json in its project, by this very Node.js', async () => {
    writeProject({ app: 'node report.mjs' });

    await run({ environment: { PATH: '/nowhere', GIVEN: 'a' } });

    expect(readReport()).toEqual({
      context: {},
      validation: 'false',
      given: 'a',
      node: process.execPath,
      directory: project,
    });
  });

  it('gives it the context of cdk.json, with the caller’s in place of it', async () => {
    writeProject({ app: 'node report.mjs', context: { kept: 1, changed: 1, taken: 1 } });

    await run({ context: { changed: 2, added: { a: true }, taken: undefined } });

    expect(readReport().context).toEqual({ kept: 1, changed: 2, added: { a: true } });
  });

  it('takes a command of several steps', async () => {
    writeProject({ app: 'cp report.mjs copy.mjs && node copy.mjs' });

    await run();

    expect(readReport().directory).toBe(project);
  });

  it('leaves nothing of an earlier assembly', async () => {
    writeProject({ app: 'node report.mjs' });
    mkdirSync(assembly);
    writeFileSync(join(assembly, 'old.json'), '');

    await run();

    expect(() => readFileSync(join(assembly, 'old.json'))).toThrow('ENOENT');
  });

  it.each<[string, object | string | undefined, RegExp]>([
    ['no cdk.json', undefined, /^cannot read .*cdk\.json$/],
    ['a cdk.json that is no JSON', '{', /^.*cdk\.json does not describe a CDK app: /],
    ['a cdk.json without an app', {}, /^.*cdk\.json does not describe a CDK app: app: /],
    [
      'an app that fails, in its own words',
      { app: 'node -e \'console.error("out of order"); process.exit(3)\'' },
      /^the stack cannot be synthesised\nout of order$/,
    ],
  ])('is refused for %s', async (_, content, message) => {
    if (content !== undefined) writeProject(content);

    const failure = run();

    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toBeInstanceOf(StartError);
  });
});

describe('synthesis of what was synthesised before', () => {
  const inputs = ['report.mjs', 'src'];

  beforeEach(async () => {
    writeProject({ app: 'node report.mjs' });
    mkdirSync(join(project, 'src'));
    writeFileSync(join(project, 'src', 'a.txt'), 'a');
    await run({ inputs });
    // A later synthesis would overwrite this file.
    writeFileSync(join(assembly, 'report.json'), '"kept"');
  });

  it('keeps it while nothing has changed that it is made of', async () => {
    expect(await run({ inputs })).toBe(false);
    expect(readReport()).toBe('kept');
  });

  it('makes it again where the inputs are not named', async () => {
    expect(await run()).toBe(true);
  });

  const source = (name: string): string => join(project, 'src', name);

  it.each<[string, change: () => void]>([
    ['a file changed', () => writeFileSync(source('a.txt'), 'b')],
    ['a file came', () => writeFileSync(source('b.txt'), '')],
    ['a file went', () => rmSync(source('a.txt'))],
    ['the project has other settings', () => writeProject({ app: 'node report.mjs ' })],
    ['it was cut short', () => rmSync(join(assembly, '.made-of'))],
  ])('makes it again when %s', async (_, change) => {
    change();

    expect(await run({ inputs })).toBe(true);
    expect(readReport()).not.toBe('kept');
  });

  it.each<[string, Partial<SynthesisOptions>]>([
    ['context', { context: { a: 1 } }],
    ['word for CDK in the environment', { environment: { ...process.env, CDK_X: '1' } }],
  ])('makes it again with another %s', async (_, options) => {
    expect(await run({ inputs, ...options })).toBe(true);
    expect(readReport()).not.toBe('kept');
  });
});
