import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PackageId, toVersionKey } from '../../shared/domain/packages/package-id.ts';
import { toFinding } from '../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../shared/domain/vulnerabilities/verdict.ts';
import { type AffectedRow, listAffected } from '../../shared/storage/vulnerabilities/affected.ts';
import {
  addRow,
  noCounts,
  readVulnerabilityCounter,
  type VulnerabilityCounter,
} from '../../shared/storage/vulnerabilities/counter.ts';
import { listVersion } from '../../shared/storage/vulnerabilities/list-version.ts';
import { makeListed } from '../../shared/storage/vulnerabilities/listed.ts';
import {
  toCounterKey,
  toPartition,
} from '../../shared/storage/vulnerabilities/vulnerability-keys.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../shared/use-cases/scanning/keep-scan.ts';
import { listVulnerabilities } from '../../shared/use-cases/vulnerability-index/list-vulnerabilities.ts';
import { showVulnerability } from '../../shared/use-cases/vulnerability-index/show-vulnerability.ts';
import { scanKnown, submitKnown } from '../storage/vulnerabilities/known-versions.ts';
import { type Measurement, measure, startEngine, type TestEngine } from '../support/engine.ts';
import { openItems } from './loaded-registry.ts';
import type { StoredItems } from './stored-registry.ts';
import { scanContext, writeContext } from './write-context.ts';

const id = 'CVE-2021-44228';
const deadline = { remainingMs: () => 10_000 };

/** Versions with keys of the same length. */
const nameVersion = (at: number) => `2.${String(at).padStart(6, '0')}.1`;
const package_ = { ecosystem: 'maven', name: 'org.example.group:some-artifact' } as const;
const toId = (at: number): PackageId => ({ ...package_, version: nameVersion(at) });

/** The items of an indexed version, as templates for the rows of other versions. */
let row: AffectedRow;
let counter: VulnerabilityCounter;

/** Adds a vulnerability with a long description to an approved version. */
const listOne = async (version: PackageId, vulnerability = id): Promise<void> => {
  await submitPackage({ ...version, license: 'MIT' }, writeContext());
  const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString();
  await decidePackage(version, { to: 'approved', by: 'ana', expires_at }, writeContext());
  const finding = toFinding({
    ...{ id: vulnerability, aliases: ['GHSA-jfh8-c2jp-5v3q'], severity: 'critical' },
    summary: 'Remote code injection in a logger, by what it is given to log',
    cvss: [{ version: '3.1', vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H', score: 10 }],
    fixedVersions: ['2.15.0', '2.12.2', '2.3.1'],
    components: ['org.apache.logging.log4j:log4j-core 2.14.1'],
    ...{ knownExploited: true, epss: [0.97565] },
  });
  const at = { policy: defaultScanPolicy, now: new Date() };
  const result = toScanResult(version, { tools: ['a-scanner'], findings: [finding] }, at);
  await saveScan(version, result, scanContext());
  await listVersion(toVersionKey(version), deadline);
};

beforeAll(async () => {
  const first = await startEngine();
  await listOne(toId(0));
  const [listed] = await listAffected(id, { count: 1 });
  const counted = await readVulnerabilityCounter(id);
  await first.close();
  if (!listed || !counted) throw new Error('The version is not listed');
  [row, counter] = [listed, counted];
});

/** Returns the row of another version with the vulnerability. */
const makeRow = (vulnerability: string, at: number): AffectedRow => ({
  ...row,
  ...{ v: toPartition(vulnerability), k: toVersionKey(toId(at)), version: nameVersion(at) },
});

/** The counter of this number of versions, summed over the rows. */
const makeCounter = (name: string, count: number): VulnerabilityCounter => {
  let counts = noCounts;
  for (let at = 0; at < count; at += 1) counts = addRow(counts, row, 1);
  return {
    ...counter,
    ...toCounterKey(name),
    ...counts,
    description: { ...counter.description, id: name },
  };
};

const portion = 1000;

/** The rows of an id in this number of versions, in groups. */
function* makeVersions(name: string, count: number): Generator<Pick<StoredItems, 'reviews'>> {
  yield { reviews: [{ ...makeCounter(name, count) }] };
  for (let from = 0; from < count; from += portion) {
    const rows = Array.from({ length: portion }, (_, at) => ({ ...makeRow(name, from + at) }));
    yield { reviews: rows };
  }
}

/** The rows of this number of vulnerabilities, each in one version. */
const makeLists = (count: number): Pick<StoredItems, 'reviews'> => {
  const ids = Array.from({ length: count }, (_, at) => `CVE-2021-${String(at).padStart(5, '0')}`);
  return {
    reviews: ids.flatMap((one) => makeListed(makeCounter(one, 1))).map((listed) => ({ ...listed })),
  };
};

const unitsOf = ({ readUnits, writeUnits }: Measurement): number => readUnits + writeUnits;

describe('a very large index of vulnerabilities', () => {
  const sizes = { 'CVE-2026-1000': 1000, 'CVE-2026-9999': 100_000 };
  let engine: TestEngine;

  beforeAll(async () => {
    const versions = Object.entries(sizes).flatMap(([name, count]) => [
      ...makeVersions(name, count),
    ]);
    engine = await openItems([...versions, makeLists(1000)]);
  });
  afterAll(() => engine.close());

  /** The cost of three pages of versions: the first, the middle and the last one. */
  const measurePages = async (name: string, count: number): Promise<Measurement[]> => {
    const pages: Measurement[] = [];
    for (const at of [undefined, count / 2, count - 101]) {
      const after = at === undefined ? undefined : toVersionKey(toId(at));
      const page = await measure(() => showVulnerability(name, { after, limit: 100 }, new Date()));
      expect(page.result).toMatchObject({ total: count, packages: { length: 100 } });
      expect(page.result.packages[0]?.version).toBe(nameVersion(at === undefined ? 0 : at + 1));
      pages.push(page);
    }
    return pages;
  };

  it('reads a page of 100 versions for at most 10 units, the same with 100,000 versions as with 1,000', async () => {
    const costs: number[][] = [];
    for (const [name, count] of Object.entries(sizes)) {
      const pages = await measurePages(name, count);
      costs.push(pages.flatMap((page) => [page.calls, unitsOf(page)]));
      expect(Math.max(...pages.map(unitsOf))).toBeLessThanOrEqual(10);
    }

    expect(costs[1]).toEqual(costs[0]);
  });

  it('adds a version at the same cost after 100,000 versions as after 1,000', async () => {
    const costs: number[][] = [];
    for (const [name, count] of Object.entries(sizes)) {
      const { calls, readUnits, writeUnits } = await measure(() => listOne(toId(count + 1), name));
      const { statuses } = (await readVulnerabilityCounter(name)) ?? {};
      expect(statuses).toMatchObject({ approved: count + 1 });
      costs.push([calls, readUnits, writeUnits]);
    }

    expect(costs[1]).toEqual(costs[0]);
  });

  it('reads a page of 100 vulnerabilities at any offset for at most 7 units', async () => {
    const wanted = { status: 'all', limit: 100 } as const;

    const first = await measure(() => listVulnerabilities(wanted));
    const later = await measure(() =>
      listVulnerabilities({ ...wanted, known_exploited: true, after: '000.0#CVE-2021-00800' }),
    );

    expect(first.result.vulnerabilities).toHaveLength(100);
    expect(later.result.vulnerabilities[0]).toMatchObject({ id: 'CVE-2021-00801' });
    expect([first.calls, later.calls]).toEqual([1, 1]);
    expect(Math.max(unitsOf(first), unitsOf(later))).toBeLessThanOrEqual(7);
  });
});

it('has the same counters for one version as its index', () => {
  expect(makeCounter(id, 1)).toEqual(counter);
});

it('limits the size of the largest row and the largest page', async () => {
  const text = 'x'.repeat(1000);
  const [listed] = makeListed({
    ...counter,
    description: {
      ...counter.description,
      aliases: Array(50).fill('y'.repeat(128)),
      summary: text,
    },
  });

  expect(JSON.stringify(listed).length).toBeLessThan(2048);
});

describe('a repeated index of a version', () => {
  let engine: TestEngine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => engine.close());

  it('costs one query and no write without a change', async () => {
    const version = await scanKnown(await submitKnown('left-pad'), [
      {
        id,
        aliases: ['GHSA-jfh8-c2jp-5v3q'],
        severity: 'high',
        known_exploited: false,
        isHarmless: false,
      },
    ]);
    const list = () => measure(() => listVersion(toVersionKey(version), deadline));
    const first = await list();
    const again = await list();

    expect(first.writeUnits).toBeLessThanOrEqual(45);
    expect(again).toMatchObject({ calls: 1, writeUnits: 0 });
    expect(again.readUnits).toBeLessThanOrEqual(2);
    expect(await listAffected(id, { count: 10 })).toHaveLength(1);
  });

  it('costs one query and no write without any finding', async () => {
    const version = await scanKnown(await submitKnown('left-pad'), []);

    expect(await measure(() => listVersion(toVersionKey(version), deadline))).toMatchObject({
      calls: 1,
      writeUnits: 0,
    });
  });
});
