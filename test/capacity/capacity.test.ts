import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSearchTerm, type SearchTerm } from '../../shared/domain/packages/search.ts';
import { statuses } from '../../shared/domain/review/status.ts';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { type CatalogueQuery, createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { newestFirst, oldestFirst } from '../../shared/storage/catalogue/order.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { listInFull } from '../../shared/use-cases/review/list-in-full.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { type Measurement, measure, type TestEngine } from '../support/engine.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { openRegistry } from './loaded-registry.ts';
import { holdCostsOfOnePackage, submitOnePackage } from './one-package.ts';
import { rangesIn, searchTextsOf } from './search-rows.ts';
import { writeContext } from './write-context.ts';

/**
 * The cost of lists, searches and writes. Reads are strongly consistent: one unit for each 4 KiB. The figures are the same
 * at every size, because cost must not grow with the registry.
 */

const filters = [
  {},
  ...ecosystems.map((ecosystem) => ({ ecosystem })),
  ...statuses.map((status) => ({ status })),
  ...ecosystems.flatMap((ecosystem) => statuses.map((status) => ({ ecosystem, status }))),
];
const listings = [oldestFirst, newestFirst].flatMap((order) =>
  filters.map((filter) => ({ ...filter, order })),
);

/** Terms inside names, at the start of names and of descriptions, with two spellings, short, without matches. */
const terms = [
  'plugin',
  'react',
  'sql',
  'py-',
  'simple',
  'small core',
  'org.',
  'aws-sdk/',
  're',
  'zzz',
];

const page = { order: oldestFirst, limit: 100, offset: 0 };
const unitBytes = 4096;
/** Long enough to load 10,000 versions on a busy machine. */
const loadMs = 900_000;

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;

const termOf = (text: string): SearchTerm => parseSearchTerm(text) ?? { text, foldedText: text };

describe.each([1000, 10_000])('a registry with %i versions', (size) => {
  let engine: TestEngine;
  let texts: ReturnType<typeof searchTextsOf>;
  const list = createCatalogue();
  const show = (query: Partial<CatalogueQuery>) => measure(() => list({ ...page, ...query }));

  beforeAll(async () => {
    engine = await openRegistry(realisticPackages(size));
    texts = searchTextsOf(realisticPackages(size));
  }, loadMs);
  afterAll(() => engine.close());

  it.each(listings)('shows the first page of %j for 3 units in one round trip', async (query) => {
    const { readUnits, roundTrips } = await show(query);

    expect(readUnits).toBeLessThanOrEqual(3);
    expect(roundTrips).toBe(1);
  });

  it.each(listings)('shows one row of %j for 2 units', async (query) => {
    const { readUnits, calls } = await show({ ...query, limit: 1 });

    expect({ readUnits, calls }).toEqual({ readUnits: 2, calls: 2 });
  });

  it.each(listings)('shows any page of %j for 10 units in 3 round trips', async (query) => {
    const { total } = await list({ ...page, ...query });
    const offsets = [255, 511, ...Array.from({ length: 8 }, (_, at) => (at * total) >> 3)];

    const shown = [];
    for (const offset of offsets) shown.push(await show({ ...query, offset }));

    expect(Math.max(...shown.map(({ readUnits }) => readUnits))).toBeLessThanOrEqual(10);
    expect(Math.max(...shown.map(({ roundTrips }) => roundTrips))).toBeLessThanOrEqual(3);
  });

  it('shows 100 full versions with one batch of heads, one of licenses, the pending updates and the last rescan at once', async () => {
    const { packages } = await list(page);

    const atHand = async () => ({ packages, total: packages.length });
    const { readUnits, calls, roundTrips } = await measure(() =>
      listInFull(atHand, page, { rules: {}, now: new Date() }),
    );

    const licenses = new Set(packages.map(({ license }) => license)).size;
    expect({ calls, roundTrips }).toEqual({ calls: 4, roundTrips: 2 });
    expect(readUnits).toBeLessThanOrEqual(packages.length / 2 + 2 * licenses + 1);
  });

  it.each(terms)('searches %j in one round trip, and reads only matching rows', async (text) => {
    const ranges = rangesIn(texts, termOf(text));

    // After its first search, an instance knows that nothing changed recently: a unit reads twice as much.
    await show({ search: termOf('zzz') });
    const { readUnits, roundTrips } = await show({ search: termOf(text) });

    const units = ranges.map((rows) => Math.ceil(sum(rows.map(({ bytes }) => bytes)) / unitBytes));
    expect(readUnits).toBe(1 + sum(units.map((each) => Math.max(1, each))) / 2);
    expect(roundTrips).toBe(1);
  });

  it('searches for 2 units, plus one unit on average per 110 matching rows', async () => {
    const step = Math.floor(texts.length / 40);
    const sample = texts.filter((_, at) => at % step === 0).map(({ text }) => text.slice(0, 6));

    let units = 0;
    let rows = 0;
    for (const text of sample) {
      const search = termOf(text.replace('^', ''));
      units += (await show({ search })).readUnits;
      rows += sum(rangesIn(texts, search).map(({ length }) => length));
    }

    expect(units).toBeLessThanOrEqual(2 * sample.length + rows / 110);
  });

  it('submits for 87 units on average and decides for 91, with 3 round trips each', async () => {
    const further = [...realisticPackages(size + 50)].slice(size);

    const submitted = [];
    const approved = [];
    for (const { submission } of further) {
      submitted.push(await measure(() => submitPackage(submission, writeContext())));
      const request = { to: 'approved', by: 'ana', reason: null } as const;
      approved.push(await measure(() => decidePackage(submission, request, writeContext())));
    }

    const units = ({ readUnits, writeUnits }: Measurement): number => readUnits + writeUnits;
    expect(mean(submitted.map(units))).toBeLessThanOrEqual(87);
    expect(mean(approved.map(units))).toBeLessThanOrEqual(91);
    // One round trip checks that the version is new: a refused submission takes no sequence number.
    expect(new Set(submitted.map(({ roundTrips }) => roundTrips))).toEqual(new Set([3]));
    // One round trip reads license and scans together.
    expect(new Set(approved.map(({ roundTrips }) => roundTrips))).toEqual(new Set([3]));
  });

  describe('a package among many', () => {
    beforeAll(submitOnePackage);

    holdCostsOfOnePackage();
  });
});
