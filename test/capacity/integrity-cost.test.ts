import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IntegrityReport } from '../../shared/api/schemas/integrity.ts';
import { readTableName } from '../../shared/api/settings/env.ts';
import { toPackageKey, toVersionKey } from '../../shared/domain/packages/package-id.ts';
import { toFinding } from '../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../shared/domain/vulnerabilities/scan-result.ts';
import { ownTool } from '../../shared/domain/vulnerabilities/scanned-ecosystems.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import { makeRows } from '../../shared/storage/catalogue/rows.ts';
import type { RecordItem } from '../../shared/storage/decisions/records.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { typeItem } from '../../shared/storage/dynamodb/table.ts';
import { appendEvents } from '../../shared/storage/events/sequence.ts';
import { checkIntegrity } from '../../shared/storage/integrity/check-integrity.ts';
import { toApprovedName } from '../../shared/storage/packages/approved-names.ts';
import { parseVersionKey } from '../../shared/storage/packages/parse-version-key.ts';
import { parseSequenceNumber } from '../../shared/storage/packages/version-keys.ts';
import { findVersion } from '../../shared/storage/packages/write-version.ts';
import { toUseKey } from '../../shared/storage/projects/project-items.ts';
import { indexReview } from '../../shared/storage/reviews/index-reviews.ts';
import { makeReviewRows } from '../../shared/storage/reviews/review-rows.ts';
import { reviewStateKey, reviewStatesTable } from '../../shared/storage/reviews/review-state.ts';
import { listVersion } from '../../shared/storage/vulnerabilities/list-version.ts';
import { recordSnapshot } from '../../shared/use-cases/projects/record-snapshot.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../shared/use-cases/scanning/keep-scan.ts';
import { indexReviews, readAll } from '../storage/integrity/reviewed-registry.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';
import { type RealisticPackage, realisticPackages } from '../support/realistic-packages.ts';
import { openItems } from './loaded-registry.ts';
import { type StoredItems, storedItems } from './stored-registry.ts';
import { scanContext, writeContext } from './write-context.ts';

/** The cost of an integrity check for each version. */

/** Long enough to load the versions on a busy machine. */
const loadMs = 300_000;
const enoughTime = { remainingMs: () => 60_000 };

const check = (request: Partial<IntegrityReport> = {}) =>
  measure(() => checkIntegrity(IntegrityReport.parse(request), defaultLayout, enoughTime));

/** Items of versions, with what the index worker adds. */
function* listed(packages: readonly RealisticPackage[]): Generator<StoredItems> {
  const names = new Set<string>();
  for (const items of storedItems(packages)) {
    const states = items.reviews.filter((item) => item['k'] === reviewStateKey);
    const rows = states.flatMap((state) => {
      const versionKey = String(state['v']);
      const name = parseVersionKey(versionKey);
      const isNew = name && !names.has(toPackageKey(name.ecosystem, name.name));
      if (name && state['status'] === 'approved')
        names.add(toPackageKey(name.ecosystem, name.name));
      return [
        ...makeReviewRows(versionKey, typeItem(reviewStatesTable, state)).rows,
        ...(isNew && state['status'] === 'approved' ? [toApprovedName(name)] : []),
      ];
    });
    yield { ...items, reviews: [...items.reviews, ...rows.map((row) => ({ ...row }))] };
  }
}

describe('the integrity check of 1,000 versions', () => {
  const size = 1000;
  const packages = [...realisticPackages(size)];
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await openItems(listed(packages));
    await indexReviews();
  }, loadMs);
  afterAll(() => engine.close());

  it(
    'costs 6.1 read units, and 0.1 calls in sequence, a version',
    async () => {
      const { result, readUnits, roundTrips, calls, writeUnits } = await check();

      expect(result).toMatchObject({ done: true, unjudged: 0, repaired: 0 });
      expect(Object.values(result.found).every((count) => count === 0)).toBe(true);
      expect(result.checked).toMatchObject({ versions: size, rows: 0, records: 0 });
      expect(readUnits / size).toBeLessThanOrEqual(6.15);
      expect(calls / size).toBeLessThanOrEqual(1.4);
      expect(roundTrips / size).toBeLessThanOrEqual(0.11);
      expect(writeUnits).toBe(0);
    },
    loadMs,
  );

  it(
    'looks up the rows of few versions around a wrong one',
    async () => {
      const [first] = packages;
      const version = first && (await findVersion(first.submission));
      if (!version) throw new Error('There is no version');
      const numbered = { ...version, sequence: parseSequenceNumber(version.sequence) };
      const [, row] = makeRows(numbered, defaultLayout);
      const key = { p: row?.p, o: row?.o };
      await dynamodb.send(new DeleteCommand({ TableName: readTableName('catalogue'), Key: key }));

      const { result, readUnits } = await check();

      expect(result.found).toMatchObject({ missing_row: 1, wrong_row: 0, orphaned_row: 0 });
      expect(readUnits / size).toBeLessThanOrEqual(6.5);
    },
    loadMs,
  );

  it(
    'costs at most 34.7 units a version where all rows must be looked up',
    async () => {
      const sums = Buffer.alloc(2 ** 16, 1).toString('base64');
      const row_sums = { seed: '', rangeBits: 0, sums };

      const { result, readUnits } = await check({ next: { phase: 'versions' }, row_sums });

      expect(result.found).toMatchObject({ missing_row: 1 });
      expect(result.checked['rows']).toBeGreaterThan(20 * size);
      expect(readUnits / size).toBeLessThanOrEqual(34.7);
    },
    loadMs,
  );
});

describe.each([
  { versionsEach: 4, most: 15.8 },
  { versionsEach: 1, most: 17.9 },
])(
  'the integrity check of packages with scans, decisions and $versionsEach versions each',
  ({ versionsEach, most }) => {
    const versions = 60;
    const hourAgo = new Date(Date.now() - 3_600_000);
    const context = () => ({ ...writeContext(), now: hourAgo });
    const findings = Array.from({ length: 3 }, (_, at) =>
      toFinding({
        id: `CVE-2026-${1000 + at}`,
        aliases: [`GHSA-${at}abc-${at}def-${at}ghi`],
        severity: 'low',
        summary: `Something that number ${at} of them does wrong with input that somebody else chose`,
        fixedVersions: ['4.18.0'],
        components: ['express 4.17.1'],
        sources: ['osv'],
      }),
    );

    const add = async (at: number): Promise<void> => {
      const name = `package-${Math.floor(at / versionsEach)}`;
      const id = { ecosystem: 'npm', name, version: `1.${at % versionsEach}.0` } as const;
      await submitPackage({ ...id, license: 'MIT' }, context());
      await decidePackage(id, { to: 'approved', by: 'ana' }, context());
      const result = toScanResult(id, { tools: [ownTool], findings }, scanContext());
      await saveScan(id, result, scanContext());
      await listVersion(toVersionKey(id), enoughTime);
      await indexReview(toVersionKey(id));
    };

    let engine: TestEngine;
    /** Units of a check without versions. */
    let fixed = 0;
    beforeAll(async () => {
      engine = await startEngine();
      fixed = (await check()).readUnits;
      for (let at = 0; at < versions; at += 1) await add(at);
      await indexReviews();
      await appendEvents((await readAll('decisions')) as unknown as RecordItem[], enoughTime);
    }, loadMs);
    afterAll(() => engine.close());

    it(`costs ${most} read units a version`, async () => {
      const { result, readUnits } = await check();

      expect(result).toMatchObject({ done: true, unjudged: 0 });
      expect(Object.values(result.found).every((count) => count === 0)).toBe(true);
      expect(result.checked).toMatchObject({
        versions,
        records: 2 * versions,
        events: 2 * versions,
      });
      expect((readUnits - fixed) / versions).toBeLessThanOrEqual(most);
      expect(fixed).toBeLessThanOrEqual(110);
    });
  },
);

describe('the integrity check of 5,000 uses by 25 projects', () => {
  const projects = 25;
  const versionsEach = 200;
  const listVersions = (project: number) =>
    Array.from({ length: versionsEach }, (_, at) => ({
      ...({
        ecosystem: 'npm',
        name: `package-${(at * project) % 977}`,
        version: `1.${at}.0`,
      } as const),
      direct: at % 10 === 0,
      files: ['package-lock.json'],
    }));

  let engine: TestEngine;
  let fixed = 0;
  beforeAll(async () => {
    engine = await startEngine();
    fixed = (await check()).readUnits;
    for (let project = 0; project < projects; project += 1) {
      const request = { ref: 'main', versions: listVersions(project) };
      await recordSnapshot(`project-${project}`, request, writeContext());
    }
  }, loadMs);
  afterAll(() => engine.close());

  it('costs 2 read units a project, and 0.02 a use', async () => {
    const { result, readUnits, writeUnits } = await check();

    expect(result).toMatchObject({ done: true, unjudged: 0 });
    expect(Object.values(result.found).every((count) => count === 0)).toBe(true);
    expect(result.checked).toMatchObject({
      projects: projects * (versionsEach + 3),
      uses: 0,
    });
    expect(writeUnits).toBe(0);
    expect(readUnits - fixed).toBeLessThanOrEqual(projects * (2 + 0.02 * versionsEach));
  });

  it('looks up the uses of few projects around a wrong one', async () => {
    const [version] = listVersions(1);
    if (!version) throw new Error('There is no version');
    const key = toUseKey(version, { project: 'project-1', ref: 'main' });
    await dynamodb.send(new DeleteCommand({ TableName: readTableName('projects'), Key: key }));

    const { result, readUnits } = await check();

    expect(result.found).toMatchObject({ missing_use: 1, wrong_use: 0, orphaned_use: 0 });
    expect(result.checked['uses']).toBeLessThanOrEqual(2 * versionsEach);
    // Of each use that is looked up: the row, its ref and its snapshot. The second scan has small pages.
    expect(readUnits - fixed).toBeLessThanOrEqual(4 * (result.checked['uses'] ?? 0));
  });
});
