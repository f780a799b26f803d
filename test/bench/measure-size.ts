/** Measures every case in a loaded registry, and lists and searches also in two simpler designs. */
import type { CataloguePage } from '../../shared/storage/catalogue/browse.ts';
import { type CatalogueQuery, createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { type Measurement, measure, startEngine } from '../support/engine.ts';
import { type ListCase, listCases, readCases, type StepsCase, writeCases } from './cases.ts';
import { countAndSkip } from './count-and-skip.ts';
import { type Figures, figuresOf } from './figures.ts';
import { loadedDatabase } from './kept-data.ts';
import type { Result } from './report.ts';
import { filterVersions, scanVersions } from './scan-and-filter.ts';

type Way = (query: CatalogueQuery) => Promise<CataloguePage>;

const repeats = 5;
/** The simpler designs take seconds in a large registry, and always need the same units. */
const otherRepeats = (size: number): number => (size < 100_000 ? 3 : 1);

const measureAll = async <Answer>(
  steps: readonly (() => Promise<Answer>)[],
): Promise<Measurement<Answer>[]> => {
  const measured: Measurement<Answer>[] = [];
  for (const step of steps) measured.push(await measure(step));
  return measured;
};

const measureWay = async (way: Way, query: CatalogueQuery, times: number) => {
  const measured = await measureAll(Array.from({ length: times }, () => () => way(query)));
  return { figures: figuresOf(measured), page: JSON.stringify(measured[0]?.result) };
};

const measureSteps = async ({ steps }: StepsCase): Promise<{ catalogue: Figures }> => ({
  catalogue: figuresOf(await measureAll(steps)),
});

/** A table scan costs the same for every case, so one is enough. */
const createComparison = async (list: Way, size: number) => {
  const scan = await measure(scanVersions);
  const scanAndFilter = figuresOf([scan]);
  return async ({ name, query }: ListCase) => {
    const ours = await measureWay(list, query, repeats);
    const skip = await measureWay(countAndSkip, query, otherRepeats(size));
    const scanned = JSON.stringify(filterVersions(scan.result, query));
    if (ours.page !== scanned || (!query.search && ours.page !== skip.page)) {
      throw new Error(`The ways differ in what they list for ${name}`);
    }
    return { catalogue: ours.figures, scanAndFilter, countAndSkip: skip.figures };
  };
};

const measureCases = async (size: number): Promise<Result[]> => {
  const results: Result[] = [];
  const keep = (name: string, figures: Omit<Result, 'versions' | 'name'>): void => {
    results.push({ versions: size, name, ...figures });
    process.stderr.write(`measured among ${size.toLocaleString('en')} versions: ${name}\n`);
  };
  const list = createCatalogue();
  const compare = await createComparison(list, size);
  for (const one of await listCases(list, size)) keep(one.name, await compare(one));
  for (const one of await readCases()) keep(one.name, await measureSteps(one));
  const { cases, undo } = writeCases(size);
  for (const one of cases) keep(one.name, await measureSteps(one));
  await undo();
  return results;
};

/** Measures with the first `size` realistic versions. */
export const measureSize = async (size: number): Promise<Result[]> => {
  const engine = await startEngine({ file: await loadedDatabase(size) });
  try {
    return await measureCases(size);
  } finally {
    await engine.close();
  }
};
