import { afterEach, expect, it } from 'vitest';
import { toVersionKey } from '../../shared/domain/package-id.ts';
import { type AffectedRow, listAffected } from '../../shared/store/vulnerabilities/affected.ts';
import {
  addRow,
  noCounts,
  type VulnerabilityCounter,
} from '../../shared/store/vulnerabilities/counter.ts';
import { toCounterKey } from '../../shared/store/vulnerabilities/keys.ts';
import { listVersion } from '../../shared/store/vulnerabilities/list-version.ts';
import { makeListed } from '../../shared/store/vulnerabilities/listed.ts';
import { listVulnerabilities } from '../../shared/vulnerabilities/list-vulnerabilities.ts';
import { showVulnerability } from '../../shared/vulnerabilities/show-vulnerability.ts';
import { scanKnown, submitKnown } from '../store/vulnerabilities/known-versions.ts';
import { type Measurement, measure, startEngine, type TestEngine } from '../support/engine.ts';
import { openItems } from './loaded-registry.ts';

const id = 'CVE-2021-44228';
const deadline = { remainingMs: () => 10_000 };

let engine: TestEngine | undefined;
afterEach(async () => {
  await engine?.close();
  engine = undefined;
});

const openReviews = async (items: readonly object[]): Promise<void> => {
  engine = await openItems({ reviews: items.map((item) => ({ ...item })) });
};

const makeRow = (at: number): AffectedRow => {
  const version = { ecosystem: 'maven', name: 'org.example.group:some-artifact' } as const;
  const number = `2.${String(at).padStart(6, '0')}.1`;
  return {
    v: toCounterKey(id).v,
    k: toVersionKey({ ...version, version: number }),
    ...{ ...version, version: number, status: 'approved', expires_at: '2027-01-31T12:00:00.000Z' },
    ...{ severity: 'critical', score: 10, fixed_versions: ['2.15.0', '2.12.2'] },
    components: ['org.apache.logging.log4j:log4j-core 2.14.1'],
    ...{ not_affecting: null, known_exploited: true, accepted_until: null },
    ...{ preferred: true, claim: 3 },
  };
};

const makeCounter = (name: string, rows: readonly AffectedRow[]): VulnerabilityCounter => ({
  ...toCounterKey(name),
  stamp: 'abcdefghijkl',
  ...rows.reduce((counts, row) => addRow(counts, row, 1), noCounts),
  telling: {
    by: 'maven#org.example.group:some-artifact#1',
    id: name,
    aliases: ['GHSA-jfh8-c2jp-5v3q'],
    summary: 'Remote code injection in a logger, by what it is given to log',
    epss: 0.97565,
  },
});

const unitsOf = ({ readUnits, writeUnits }: Measurement): number => readUnits + writeUnits;

it.each([1000, 10_000])(
  'a page of 100 of %i versions that have a vulnerability costs at most 10 units',
  async (count) => {
    const rows = Array.from({ length: count }, (_, at) => makeRow(at));
    await openReviews([...rows, makeCounter(id, rows)]);
    const query = { after: rows[count - 500]?.k, limit: 100 };

    const first = await measure(() => showVulnerability(id, { limit: 100 }, new Date()));
    const later = await measure(() => showVulnerability(id, query, new Date()));

    expect(first.result).toMatchObject({ total: count, packages: { length: 100 } });
    expect(later.result).toMatchObject({ total: count, packages: { length: 100 } });
    expect(later.calls).toBe(first.calls);
    expect(Math.max(unitsOf(first), unitsOf(later))).toBeLessThanOrEqual(10);
  },
  60_000,
);

it('a page of 100 vulnerabilities costs at most 7 units, wherever it begins', async () => {
  const counters = Array.from({ length: 1000 }, (_, at) =>
    makeCounter(`CVE-2021-${String(at).padStart(5, '0')}`, [makeRow(0)]),
  );
  await openReviews(counters.flatMap(makeListed));
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

it('the most that a row and a page can hold stay within bounds', async () => {
  const text = 'x'.repeat(1000);
  const counter = makeCounter(id, [makeRow(0)]);
  const [listed] = makeListed({
    ...counter,
    telling: { ...counter.telling, aliases: Array(50).fill('y'.repeat(128)), summary: text },
  });

  expect(JSON.stringify(listed).length).toBeLessThan(2048);
});

it('listing a version of which nothing changed costs one query and no write', async () => {
  engine = await startEngine();
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

it('listing a version in which nothing was found costs one query and no write', async () => {
  engine = await startEngine();
  const version = await scanKnown(await submitKnown('left-pad'), []);

  expect(await measure(() => listVersion(toVersionKey(version), deadline))).toMatchObject({
    calls: 1,
    writeUnits: 0,
  });
});
