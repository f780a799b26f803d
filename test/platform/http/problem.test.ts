import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../shared/api/schemas/problem.ts';
import { RegistryError, refuseInvalid } from '../../../shared/domain/errors.ts';
import { makeProblemAnswer } from '../../../shared/platform/http/problem.ts';

const maxBytes = 8192;

const write = (error: RegistryError) => {
  const { body } = makeProblemAnswer(error, 'id');
  return { bytes: Buffer.byteLength(body), problem: Problem.parse(JSON.parse(body)) };
};

const toCandidate = (name: string) => ({
  name: name.slice(0, 255),
  version: '1',
  ecosystem: 'npm',
  status: 'pending',
  license: null,
});

const item = (text: string) => ({ path: text, message: text });

describe('a problem document', () => {
  it('is complete if it is small', () => {
    const { problem } = write(refuseInvalid('name', 'must be\nshort'));

    expect(problem).toMatchObject({
      detail: 'name: must be\nshort',
      errors: [{ path: 'name', message: 'must be\nshort' }],
    });
  });

  it('keeps as many candidates as fit the limit', () => {
    const candidates = Array.from({ length: 20 }, (_, at) => ({
      name: 'x'.repeat(255),
      version: String(at).padEnd(255, 'x'),
      ecosystem: 'npm',
      status: 'pending',
      license: 'x'.repeat(255),
    }));

    const { bytes, problem } = write(
      new RegistryError('ambiguous_version', 'Which?', { members: { candidates } }),
    );

    expect(bytes).toBeLessThanOrEqual(maxBytes);
    expect(problem['candidates']).toEqual(candidates.slice(0, 5));
  });

  it('is never larger than 8 KiB', () => {
    const long = fc.tuple(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(9000));
    const texts = long.map(([text, times]) => text.repeat(times + 1).slice(0, 9000));

    fc.assert(
      fc.property(texts, fc.array(texts, { maxLength: 40 }), (detail, others) => {
        const errors = others.map(item);
        const members = { candidates: others.map(toCandidate) };
        const { bytes, problem } = write(
          new RegistryError('validation_failed', detail, { errors, members }),
        );

        expect(bytes).toBeLessThanOrEqual(maxBytes);
        expect(problem.errors?.length ?? 0).toBeGreaterThan(others.length > 0 ? 0 : -1);
      }),
      { numRuns: 200 },
    );
  });
});
