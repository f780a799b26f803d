import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyProject, editFile } from './support/project-copy.ts';

/** Each runs a tool over the whole project, which takes long on a busy machine. */

/** One step of the recipe: the file that it names first, and its block of code. */
interface Step {
  readonly file: string;
  readonly code: string;
}

const readRecipe = (heading: string): Step[] => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8');
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [steps = ''] = section.split('\n## ');
  return steps.split(/^\d\. /m).flatMap((step) => {
    const [, file] = /`([\w./-]+\.ts)`/.exec(step) ?? [];
    const [, block] = /```ts\n([\s\S]*?)```/.exec(step) ?? [];
    return file && block ? [{ file, code: block.replace(/^ {3}/gm, '') }] : [];
  });
};

/** Creates the file of a step, or adds an export at the end of the file, or a row at the end of its table. */
const follow = (copy: string, { file, code }: Step): void => {
  const path = join(copy, file);
  if (code.includes('readonly ')) {
    editFile(copy, file, (text) =>
      text.replace(/(interface SubmissionNote [^}]*)\}/, `$1${code}}`),
    );
    return;
  }
  if (!existsSync(path)) {
    writeFileSync(path, code);
    return;
  }
  const before = readFileSync(path, 'utf8');
  if (code.startsWith('export ')) {
    writeFileSync(path, `${before}\n${code}`);
    return;
  }
  const isInList = code.trimStart().startsWith('{') || !code.includes(':');
  const ends = ['\n} as const satisfies', isInList ? '\n];\n' : '\n};\n'];
  const end = ends.find((one) => before.includes(one)) ?? '';
  const at = before.lastIndexOf(end);
  writeFileSync(path, `${before.slice(0, at)}\n${code.trimEnd()}${before.slice(at)}`);
};

describe("the contributor's recipes", () => {
  let copy: string;

  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join('node_modules/.bin', command), args, {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1', VITEST: undefined },
    });
    return { status, said: `${stdout}${stderr}` };
  };

  beforeAll(() => {
    copy = copyProject();
    const headings = ['Add an endpoint', 'Add a command', 'Change what is stored'];
    const steps = headings.flatMap(readRecipe);
    for (const step of steps) follow(copy, step);
    const imports = `import { nextExpiry } from './next-expiry.ts';
import { submitter } from './submitter.ts';
`;
    editFile(copy, 'cli/commands/commands.ts', (text) => `${imports}${text}`);
    editFile(
      copy,
      'shared/api/schemas/named-schemas.ts',
      (text) =>
        `import { Submitter } from './submitter.ts';\n${text.replace('  Submission,\n', '  Submission,\n  Submitter,\n')}`,
    );
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  it('have a step for each file', () => {
    const listFiles = (heading: string) => readRecipe(heading).map(({ file }) => file);

    expect(listFiles('Add a command')).toEqual([
      'cli/commands/next-expiry.ts',
      'cli/commands/commands.ts',
      'test/cli/next-expiry.test.ts',
    ]);
    expect(listFiles('Change what is stored')).toEqual([
      'shared/storage/packages/package-item.ts',
      'test/storage/packages/team.test.ts',
    ]);
    expect(listFiles('Add an endpoint')).toEqual([
      'shared/api/schemas/submitter.ts',
      'shared/api/routes/packages.ts',
      'functions/show-submitter.ts',
      'cli/commands/submitter.ts',
      'cli/commands/commands.ts',
      'cli/commands/commands.ts',
      'test/contract/exercises.ts',
      'test/capacity/dearest-requests.ts',
      'shared/api/openapi/operation-docs.ts',
    ]);
  });

  it('produce code that compiles', () => {
    expect(run('tsc')).toEqual({ status: 0, said: '' });
  });

  it('produce a documented endpoint without unused grants', {}, () => {
    const written = run('node', 'infra/openapi.ts');
    const tested = run(
      'vitest',
      ...['run', '--project', 'registry', '--project', 'thorough'],
      ...['--testNamePattern', 'show-submitter|openapi.json'],
      ...['test/contract/least-privilege.test.ts', 'test/api/openapi/document.test.ts'],
    );

    expect(written.status).toBe(0);
    expect(readFileSync(join(copy, 'openapi.json'), 'utf8')).toContain('show-submitter');
    expect(tested.said).toMatch(/Tests {2}[1-9]\d* passed/);
    expect(tested.status).toBe(0);
  });

  it('produce a stored field with its value in reads', () => {
    const tested = run(
      'vitest',
      'run',
      '--project',
      'registry',
      'test/storage/packages/team.test.ts',
    );

    expect(tested.said).toMatch(/Tests {2}2 passed/);
    expect(tested.status).toBe(0);
  });

  it('produce the command of a route', () => {
    const { said } = run('node', 'cli/main.ts', 'submitter', '--help');

    expect(said).toContain('registry submitter lodash --version 4.17.20');
  });

  it('produce a separate command with a passing test', () => {
    const { status, said } = run(
      'vitest',
      ...['run', '--project', 'registry', 'test/cli/next-expiry.test.ts'],
    );

    expect(said).toMatch(/Tests {2}1 passed/);
    expect(status).toBe(0);
  });
});
