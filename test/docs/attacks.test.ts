import { readFileSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { replayAll } from '../proof/attacks/replay-all.ts';

it('docs/attacks.md and docs/attack-changes.md have the outcomes of all replays, and every promise holds', async () => {
  const { attackTable, changeTable, alarmTable, violations } = await replayAll(inject('assembly'));

  expect(violations).toEqual([]);
  const page = readFileSync('docs/attacks.md', 'utf8');
  expect(page).toContain(attackTable);
  expect(page).toContain(alarmTable);
  expect(readFileSync('docs/attack-changes.md', 'utf8')).toContain(changeTable);
});
