import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { IFlattenedRuleSet, IRegularForbiddenRuleType } from 'dependency-cruiser';
import { describe, expect, it } from 'vitest';

const readSection = (page: string, heading: string): string =>
  readFileSync(page, 'utf8').split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '';

/** The rows of the table in a text, each as the text of its cells. */
const readRows = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const readCode = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

const listFolders = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);

const notInMap = ['node_modules', 'dist', 'cdk.out', 'shared'];

describe('the map of docs/code-map.md', () => {
  const rows = readRows(readSection('docs/code-map.md', 'Folders')).map(
    ([cell = '', contents = '']) => ({
      folder: readCode(cell)[0] ?? '',
      named: readCode(contents),
    }),
  );
  const modules = rows.filter(({ folder }) => folder.startsWith('shared/'));

  it('has a row for each top-level folder and each module of shared/', () => {
    const expected = [
      ...listFolders('.').filter((name) => !notInMap.includes(name)),
      ...listFolders('shared').map((name) => `shared/${name}`),
    ];

    expect(rows.map(({ folder }) => folder).toSorted()).toEqual(expected.toSorted());
  });

  it.each(modules)('names each folder of $folder', ({ folder, named }) => {
    expect(named).toEqual(expect.arrayContaining([...listFolders(folder)]));
  });

  it('names nothing that does not exist', () => {
    const missing = rows.flatMap(({ folder, named }) =>
      named
        .filter((name) => !/^npm /.test(name))
        .filter((name) => !existsSync(join(folder, name)) && !existsSync(name)),
    );

    expect(missing).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('names files and folders that exist on the way of a submission', () => {
    const paths = readCode(readSection('docs/architecture.md', 'A submission')).filter((code) =>
      /^(shared|functions)\//.test(code),
    );

    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe('the imports of docs/code-map.md', async () => {
  const { default: config } = await import(
    pathToFileURL(join(process.cwd(), '.dependency-cruiser.mjs')).href
  );
  const { forbidden = [] }: IFlattenedRuleSet = config;
  const rows = readRows(readSection('docs/code-map.md', 'Imports')).map(
    ([name = '', allowed = '']) => ({
      name: readCode(name)[0] ?? '',
      allowed: readCode(allowed),
    }),
  );

  it('have a row for each module', () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(listFolders('shared').toSorted());
  });

  it.each(rows)('of $name are those that the rules allow', ({ name, allowed }) => {
    const rule = forbidden.find((one) => one.name === `${name} may not import this`);
    const patterns = [(rule as IRegularForbiddenRuleType | undefined)?.to.pathNot ?? []]
      .flat()
      .map((pattern) => new RegExp(pattern));
    const isAllowed = (folder: string): boolean =>
      patterns.some((pattern) => pattern.test(`shared/${folder}/folder/file.ts`));
    const whole = rows.map((row) => row.name).filter((other) => other !== name && isAllowed(other));

    expect(allowed.filter((one) => !one.includes('/')).toSorted()).toEqual(whole.toSorted());
    expect(allowed.filter((one) => !isAllowed(one))).toEqual([]);
  });
});

describe('docs/decisions/README.md', () => {
  const decisions = readRows(readFileSync('docs/decisions/README.md', 'utf8')).map(
    ([link = '', date = '', status = '']) => {
      const [, title = '', file = ''] = /\[(.*)\]\((.*)\)/.exec(link) ?? [];
      return { title, file: `docs/decisions/${file}`, date, status };
    },
  );

  it('lists all decisions', () => {
    const files = globSync('docs/decisions/*.md').filter((file) => !file.endsWith('README.md'));

    expect(decisions.map(({ file }) => file).toSorted()).toEqual(files.toSorted());
  });

  it.each(decisions)('has the title, date and status of $file', ({ title, file, date, status }) => {
    const text = readFileSync(file, 'utf8');

    expect(text).toContain(`# ${title}\n\nDate: ${date}. Status: ${status}.\n`);
  });
});
