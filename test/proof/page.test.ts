import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { readBlocks } from '../support/pages.ts';

const paste = async (block: string): Promise<string> => {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', block], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text(child.stdout);
};

it('docs/proof.md: every part holds, and a planted bug is seen', { timeout: 300_000 }, async () => {
  const [whole = '', planted = ''] = readBlocks('docs/proof.md');

  const held = await paste(whole.replace('--minutes 5', '--minutes 0.1'));
  const seen = await paste(planted);

  expect(held).toMatch(/^All held\.$/m);
  expect(seen).toMatch(/Did not hold: .*Run it again: npm run proof -- .*seen\n$/s);
});
