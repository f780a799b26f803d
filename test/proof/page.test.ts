import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readBlocks } from '../support/pages.ts';
import { parseOptions } from './options.ts';

const paste = async (block: string): Promise<string> => {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', block], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text(child.stdout);
};

const [whole = '', planted = ''] = readBlocks('docs/proof.md');

it('docs/proof.md shows a planted bug', { timeout: 120_000 }, async () => {
  expect(await paste(planted)).toMatch(/Did not hold: .*Run it again: npm run proof -- .*seen\n$/s);
});

it('docs/proof.md has options that are understood', () => {
  const [, args = ''] = whole.trim().split('npm run proof -- ');

  expect(parseOptions(args.split(' ')).minutes).toBe(5);
});
