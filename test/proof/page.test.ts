import { expect, it } from 'vitest';
import { readBlocks } from '../support/pages.ts';
import { parseOptions } from './options.ts';

const optionsOf = (block: string) => {
  const [, typed = ''] = /npm run proof -- ([^|\n]*)/.exec(block) ?? [];
  return parseOptions(typed.trim().split(' '));
};

it('accepts every option in docs/proof.md', () => {
  const [whole = '', planted = ''] = readBlocks('docs/proof.md');

  expect(optionsOf(whole).minutes).toBe(5);
  expect(optionsOf(planted)).toMatchObject({ plant: 'stale-read', count: 1 });
});
