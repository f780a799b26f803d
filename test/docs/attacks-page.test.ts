import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { attacks, falseAlarms } from '../proof/attacks/dataset.ts';
import { knownMisses } from '../proof/attacks/known-misses.ts';
import { nameAlarm } from '../proof/attacks/tables.ts';

/** The first cells of the rows below a heading, without the head of the table. */
const listRows = (heading: string): string[] => {
  const [, section = ''] = readFileSync('docs/attacks.md', 'utf8').split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) => row.slice(2, row.indexOf(' |')));
};

it('docs/attacks.md lists exactly the attacks and the false alarms of the data', () => {
  expect(listRows('Attacks')).toEqual(attacks.map(({ title }) => title));
  expect(listRows('False alarms')).toEqual(falseAlarms.map(nameAlarm));
});

it('docs/attacks.md names each attack that is not stopped', () => {
  const page = readFileSync('docs/attacks.md', 'utf8');

  expect(Object.values(knownMisses).filter((reason) => !page.includes(reason))).toEqual([]);
});
