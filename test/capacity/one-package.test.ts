import { afterAll, beforeAll, describe } from 'vitest';
import type { TestEngine } from '../support/engine.ts';
import { type RealisticPackage, realisticPackages } from '../support/realistic-packages.ts';
import { openRegistry } from './loaded-registry.ts';
import { holdCostsOfOnePackage, id, keepCleanScan } from './one-package.ts';

const versionsOfOnePackage = (count: number): RealisticPackage[] =>
  [...realisticPackages(count)].map((realistic, at) => ({
    ...realistic,
    submission: { ...realistic.submission, ...id, version: `1.${at}.0` },
  }));

describe('a package with 1,000 versions', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await openRegistry(versionsOfOnePackage(1000));
    await keepCleanScan();
  });
  afterAll(() => engine.close());

  holdCostsOfOnePackage();
});
