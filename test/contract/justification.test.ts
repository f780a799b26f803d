import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const justification = 'The importer reads zip files with it.\nNothing that we have does.';

let registry: TestRegistry;
let commandLine: CommandLine;

beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ci/submit:${token},ana:${token.toUpperCase()}` });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const submit = (name: string, more: object = {}) =>
  registry.post(
    '/api/v1/packages',
    { ecosystem: 'npm', name, version: '1.0.0', ...more },
    { token },
  );

const run = (...args: string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token } });

describe('why a version is wanted', () => {
  it('is shown in its evidence and in the history of its submission, and nowhere else', async () => {
    const name = 'wanted';
    const submitted = await submit(name, { justification });
    await registry.post(packagePath(name, '/approve'), {}, { token: token.toUpperCase() });

    const evidence = await registry.get(packagePath(name, '/evidence'));
    const { history } = (await registry.get(packagePath(name, '/history'))).body;

    expect(submitted.status).toBe(201);
    expect(evidence.body.justification).toBe(justification);
    expect(history).toMatchObject([
      { type: 'package.approved', justification: null },
      { type: 'package.submitted', justification, reason: null },
    ]);
    for (const path of [packagePath(name), packagePath(name, '/versions'), '/api/v1/packages']) {
      expect(JSON.stringify((await registry.get(path)).body)).not.toContain('importer');
    }
    expect(JSON.stringify(submitted.body)).not.toContain('importer');
  });

  it.each([
    ['is not said', {}],
    ['is null', { justification: null }],
  ])('is null where it %s', async (_, more) => {
    const name = `unsaid-${Object.keys(more).length}`;
    await submit(name, more);

    const { body } = await registry.get(packagePath(name, '/evidence'));
    const { history } = (await registry.get(packagePath(name, '/history'))).body;

    expect(body.justification).toBeNull();
    expect(history).toMatchObject([{ justification: null }]);
  });

  it('may have 2,000 characters', async () => {
    expect((await submit('long', { justification: 'é'.repeat(2000) })).status).toBe(201);
  });

  it.each([
    ['2,001 characters', 'x'.repeat(2001)],
    ['blanks alone', ' \n'],
    ['half a character', '\ud800'],
    ['a number', 7],
  ])('may not have %s', async (_, wrong) => {
    const { status, body } = await submit('refused', { justification: wrong });

    expect(status).toBe(400);
    expect(body.errors[0].path).toBe('justification');
  });

  it('is given and read by the command line', async () => {
    const args = ['--ecosystem', 'npm', '--name', 'typed', '--version', '1.0.0'];

    const submitted = await run('submit', ...args, '--reason', justification);
    const evidence = await run('show', 'typed', '--evidence');
    const history = await run('history', 'typed');

    expect(submitted).toMatchObject({ code: 0, stderr: '' });
    expect(evidence.stdout).toMatch(
      /Justification +The importer reads zip files with it\.\n +Nothing that we have does\./,
    );
    expect(history.stdout).toContain('Justification: The importer reads zip files with it.');
  });

  it('comes with who asks, by the command line', async () => {
    const people = await run('whoami');
    const programs = await run('whoami', '--json');

    expect(people.stdout).toMatch(/Label +ci\nScopes +submit\n/);
    expect(JSON.parse(programs.stdout)).toMatchObject({ label: 'ci', scopes: ['submit'] });
  });
});
