import { describe, expect, it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { parseSearchTerm } from '../../../shared/domain/packages/search.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { toDetail } from '../../../shared/storage/packages/package-item.ts';
import { startEngine } from '../../support/engine.ts';
import { injected, withFaults } from '../../support/faults.ts';
import { histories } from '../../support/histories.ts';
import { createRandom } from '../../support/random.ts';
import { randomQuery, smallLayout, writeSomething } from './history.ts';
import { expectedPage, type OracleQuery, readTruth } from './oracle.ts';

const seeds = Array.from({ length: histories(2) }, (_, seed) => seed);
const rounds = 15;
const writersAtOnce = 6;
const writesOfEach = 3;
const queriesARound = 120;

const keyOf = ({ ecosystem, name, version }: PackageDetail): string =>
  `${ecosystem} ${name} ${version}`;

describe('the catalogue', () => {
  it(`makes ${seeds.length * rounds * queriesARound} comparisons in all`, () => {
    expect(seeds.length * rounds * queriesARound).toBeGreaterThanOrEqual(3500);
  });

  it.each(seeds)(
    'lists what brute force lists, through concurrent writers and faults (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      const engine = await startEngine();
      const list = createCatalogue(smallLayout);
      const listPage = ({ search, ...query }: OracleQuery) =>
        list({ ...query, search: parseSearchTerm(search ?? '') });
      const acknowledged = new Map<string, PackageDetail>();
      const before = { ...injected };

      const writer = async (): Promise<void> => {
        for (let at = 0; at < writesOfEach; at += 1) {
          const detail = await writeSomething(random, [...acknowledged.values()], smallLayout);
          if (detail) acknowledged.set(keyOf(detail), detail);
        }
      };
      for (let round = 0; round < rounds; round += 1) {
        await withFaults(random, () => Promise.all(Array.from({ length: writersAtOnce }, writer)));
        const truth = await readTruth();
        for (let at = 0; at < queriesARound; at += 1) {
          const query = randomQuery(random, truth.length);
          expect(await listPage(query), JSON.stringify(query)).toEqual(expectedPage(truth, query));
        }
      }

      const kept = new Map((await readTruth()).map((item) => [keyOf(item), toDetail(item)]));
      for (const key of acknowledged.keys()) expect(kept.has(key), key).toBe(true);
      const report = await checkIntegrity(IntegrityReport.parse({}), smallLayout, {
        remainingMs: () => 60_000,
      });
      expect(report).toMatchObject({
        done: true,
        found: { missing_row: 0, wrong_row: 0, orphaned_row: 0, wrong_counter: 0 },
      });
      expect(injected.conflict).toBeGreaterThan(before.conflict);
      expect(injected.throttling).toBeGreaterThan(before.throttling);
      expect(injected.lostAnswer).toBeGreaterThan(before.lostAnswer);
      await engine.close();
    },
    900_000,
  );
});
