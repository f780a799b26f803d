import { expect, it } from 'vitest';
import { maxAnswerBytes, takeFitting } from '../../shared/domain/answer-size.ts';

/** Each takes as much as a reason of 2,000 quotation marks, which JSON escapes twice. */
const rows = Array.from({ length: 1000 }, (_, at) => ({ at, reason: '"'.repeat(2000) }));

it('takes as many rows as an answer holds', () => {
  const taken = takeFitting(rows);

  expect(taken).toEqual(rows.slice(0, taken.length));
  expect(taken.length).toBeLessThan(rows.length);
  const body = JSON.stringify({ statusCode: 200, body: JSON.stringify(taken) });
  expect(Buffer.byteLength(body)).toBeLessThan(6_291_456);
});

it('takes all rows that fit, and one that does not', () => {
  const large = { reason: 'x'.repeat(maxAnswerBytes) };

  expect(takeFitting(rows.slice(0, 10))).toHaveLength(10);
  expect(takeFitting([large, large])).toEqual([large]);
  expect(takeFitting([])).toEqual([]);
});
