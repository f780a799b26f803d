import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Submission } from '../../shared/api/schemas/submission.ts';
import { type Ecosystem, ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { keyUnitsASecond } from './contention-model.ts';
import { writeContext } from './write-context.ts';
import { measureKeys } from './written-keys.ts';

/** Submissions a second of packages with different names, if all are of one ecosystem. */
const perSecond = 500;

const count = 40;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** Submissions of one ecosystem with different names. */
const listSubmissions = (ecosystem: Ecosystem): Submission[] => {
  const byName = new Map<string, Submission>();
  for (const { submission } of realisticPackages(3000)) {
    if (submission.ecosystem === ecosystem) byName.set(submission.name, submission);
  }
  return [...byName.values()].slice(0, count);
};

it.each(ecosystems)(
  'writes at most 2 units of a submission of %s to one partition key, so that 500 a second fit',
  async (ecosystem) => {
    const keys = await measureKeys(async () => {
      for (const submission of listSubmissions(ecosystem)) {
        await submitPackage(submission, writeContext());
      }
    });

    const most = (keyUnitsASecond / perSecond) * count;
    expect(keys[0]?.[1]).toBe(most);
    // Each submission writes to these: four lists and two counters.
    const busiest = keys.flatMap(([key, units]) => (units === most ? [key] : []));
    expect(busiest.filter((key) => key.startsWith('catalogue')).toSorted()).toEqual(
      ['#c', '#f000000', '*--0', '*-p0', `*${ecosystem[0]}-0`, `*${ecosystem[0]}p0`]
        .map((key) => `catalogue ${key}`)
        .toSorted(),
    );
  },
);
