import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';

interface Term {
  readonly term: string;
  readonly meaning: string;
  readonly field: string;
  readonly command: string;
  readonly type: string;
}

const terms: readonly Term[] = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Term |'))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')))
  .map(([term = '', meaning = '', field = '', command = '', type = '']) => ({
    term,
    meaning,
    field,
    command,
    type,
  }));

/** Collects the names of all properties and parameters of the OpenAPI document. */
const listFields = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, in: place, name } = value as Readonly<Record<string, unknown>>;
  return [
    ...Object.keys(properties as object),
    ...(place !== undefined && typeof name === 'string' ? [name] : []),
    ...Object.values(value).flatMap(listFields),
  ];
};

const fields = new Set(listFields(JSON.parse(readFileSync('openapi.json', 'utf8'))));
const types = new Set(
  globSync('shared/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export (?:const|type|interface|class) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  ),
);

let commandLine: CommandLine;
beforeAll(() => {
  commandLine = CommandLine.install();
});
afterAll(() => commandLine.remove());

describe('docs/glossary.md', () => {
  it('has each term once, with a meaning of one line', () => {
    const names = terms.map(({ term }) => term);

    expect(names.length).toBeGreaterThan(40);
    expect([...new Set(names)]).toEqual(names);
    for (const { meaning } of terms) expect(meaning).toMatch(/^\S.{10,120}$/);
  });

  it('names API fields that exist', () => {
    expect(terms.filter(({ field }) => field && !fields.has(field))).toEqual([]);
  });

  it('names types that shared/ exports', () => {
    expect(terms.filter(({ type }) => !types.has(type))).toEqual([]);
  });

  const commands = [...new Set(terms.map(({ command }) => command).filter(Boolean))];

  it.each(commands)('names a command with its flag: %s', async (command) => {
    const words = command.split(' ');
    const flag = words.find((word) => word.startsWith('--'));
    const names = words.filter((word) => !word.startsWith('--'));

    const { code, stdout } = await commandLine.run([...names, '--help']);

    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: registry ${names.join(' ')}\\b`));
    expect(stdout).toContain(flag ?? '');
  });
});
