import { expect, it } from 'vitest';
import { applyChanges } from '../../console/decisions/outcome.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
const other = { ...id, name: 'axios' };

it('applies changes of many versions in their order, and adds up their news', () => {
  const first = applyChanges(new Map(), [
    { id, status: 'approved', news: 1 },
    { id: other, doing: { action: 'reject', stage: 'queued' } },
    { id, by: 'alice', news: 1 },
  ]);
  const second = applyChanges(first, [{ id: other, doing: undefined, status: 'rejected' }]);

  expect([...second.values()]).toEqual([
    { id, status: 'approved', by: 'alice', news: 2 },
    { id: other, doing: undefined, status: 'rejected', news: 0 },
  ]);
});
