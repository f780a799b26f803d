import { expect, it } from 'vitest';
import { findOutcome, updateOutcomes } from '../../console/decisions/outcomes.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
const other = { ...id, name: 'axios' };

it('applies changes of many versions in their order, and adds up their news', () => {
  updateOutcomes([
    { id, status: 'approved', news: 1 },
    { id: other, doing: { action: 'reject', stage: 'queued' } },
    { id, by: 'alice', news: 1 },
  ]);
  updateOutcomes([{ id: other, doing: undefined, status: 'rejected' }]);

  expect(findOutcome(id)).toEqual({ id, status: 'approved', by: 'alice', news: 2 });
  expect(findOutcome(other)).toEqual({ id: other, doing: undefined, status: 'rejected', news: 0 });
});
