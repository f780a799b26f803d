/** The measured cases: lists and searches, single reads, and writes. */
import licensePolicy from '../../infra/license-policy.json' with { type: 'json' };
import { LicensePolicy } from '../../shared/api/schemas/license-policy.ts';
import type { CatalogueQuery, createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { newestFirst, oldestFirst } from '../../shared/storage/catalogue/order.ts';
import { selectVersion } from '../../shared/storage/packages/find-versions.ts';
import { listVersions } from '../../shared/storage/packages/list-versions.ts';
import { readReviewFile } from '../../shared/storage/reviews/review-file.ts';
import { findLicense } from '../../shared/use-cases/licensing/find-license.ts';
import { listLicenses } from '../../shared/use-cases/licensing/list-licenses.ts';
import { loadLicenses } from '../../shared/use-cases/licensing/load-licenses.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../shared/use-cases/scanning/keep-scan.ts';
import { cleanScan } from '../capacity/clean-scan.ts';
import { scanContext, writeContext } from '../capacity/write-context.ts';
import { measure } from '../support/engine.ts';
import { type RealisticPackage, realisticPackages } from '../support/realistic-packages.ts';
import { findTerms, tryTerm } from './terms.ts';
import { withdraw } from './withdraw.ts';

export interface ListCase {
  readonly name: string;
  readonly query: CatalogueQuery;
}

/** Runs the steps one after the other, and measures each. */
export interface StepsCase {
  readonly name: string;
  readonly steps: readonly (() => Promise<unknown>)[];
}

type List = ReturnType<typeof createCatalogue>;

const page1: CatalogueQuery = { order: oldestFirst, limit: 100, offset: 0 };
/** A term with two characters matches prefixes of names only. */
const shortTerm = 're';
const triedOffsets = 40;
const readRepeats = 5;
const writtenVersions = 20;

/** The most expensive offset: it depends on the number of rows before the page in the same bucket. */
const dearestOffset = async (list: List, size: number): Promise<number> => {
  let dearest = { offset: 0, readUnits: 0 };
  for (let at = 0; at < triedOffsets; at += 1) {
    const offset = Math.floor((at * size) / triedOffsets);
    const { readUnits } = await measure(() => list({ ...page1, offset }));
    if (readUnits > dearest.readUnits) dearest = { offset, readUnits };
  }
  return dearest.offset;
};

const searchCases = async (list: List, size: number): Promise<ListCase[]> => {
  const terms = await findTerms(list, size, [...new Set([10, size / 100, size / 10])]);
  return [...terms, await tryTerm(list, shortTerm)].map(({ text, search, matches }) => ({
    name: `search ${text} (${matches.toLocaleString('en')} found)`,
    query: { ...page1, search },
  }));
};

/** Lists and searches, which have alternative designs. */
export const listCases = async (list: List, size: number): Promise<ListCase[]> => {
  const dearest = await dearestOffset(list, size);
  return [
    { name: 'page 1', query: page1 },
    { name: 'page 1, ecosystem', query: { ...page1, ecosystem: 'npm' } },
    { name: 'page 1, status', query: { ...page1, status: 'pending' } },
    { name: 'page 1, both', query: { ...page1, ecosystem: 'npm', status: 'approved' } },
    { name: 'page 1, newest first', query: { ...page1, order: newestFirst } },
    { name: 'offset 50%', query: { ...page1, offset: size * 0.5 } },
    { name: 'offset 90%', query: { ...page1, offset: size * 0.9 } },
    { name: `dearest offset (${dearest})`, query: { ...page1, offset: dearest } },
    ...(await searchCases(list, size)),
  ];
};

const repeated = (name: string, step: () => Promise<unknown>): StepsCase => ({
  name,
  steps: Array.from({ length: readRepeats }, () => step),
});

/** Reads of one package, scan or license. */
export const readCases = async (): Promise<StepsCase[]> => {
  const [first] = realisticPackages(1);
  if (!first) throw new Error('There are no versions to read');
  const { ecosystem, name, version } = first.submission;
  const id = { ecosystem, name, version };
  const { total } = await listVersions({ name }, { limit: 1, offset: 0 });
  await saveScan(id, cleanScan(id), scanContext());
  await loadLicenses(LicensePolicy.parse(licensePolicy), writeContext().deadline);
  return [
    repeated('detail', () => selectVersion({ name })),
    repeated(`versions (${total})`, () => listVersions({ name }, { limit: 100, offset: 0 })),
    repeated('scan', async () => readReviewFile(await selectVersion({ name }))),
    repeated('license', () => findLicense({ license: 'MIT' })),
    repeated('licenses, page 1', () => listLicenses({ limit: 100, offset: 0 })),
  ];
};

/** The versions after the loaded ones. */
const furtherVersions = (size: number): RealisticPackage['submission'][] => {
  const further: RealisticPackage['submission'][] = [];
  let at = 0;
  for (const { submission } of realisticPackages(size + writtenVersions)) {
    at += 1;
    if (at > size) further.push(submission);
  }
  return further;
};

/** Submissions and approvals, and the function that deletes them afterwards. */
export const writeCases = (size: number) => {
  const submissions = furtherVersions(size);
  const approval = { to: 'approved', by: 'ana', reason: null } as const;
  const cases: StepsCase[] = [
    { name: 'submit', steps: submissions.map((one) => () => submitPackage(one, writeContext())) },
    {
      name: 'approve',
      steps: submissions.map((one) => () => decidePackage(one, approval, writeContext())),
    },
  ];
  return {
    cases,
    undo: async (): Promise<void> => {
      for (const submission of submissions) await withdraw(await selectVersion(submission));
    },
  };
};
