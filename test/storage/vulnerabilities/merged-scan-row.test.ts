import { afterEach, beforeEach, expect, it } from 'vitest';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { anonymous } from '../../../shared/domain/tokens/actor.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { limits } from '../../../shared/domain/vulnerabilities/scan-limits.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { expectIndexed } from '../../../shared/storage/vulnerabilities/find-mislisted.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { submitKnown } from './known-versions.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

it('lists a version under every id that a scan names, however many others add', async () => {
  const version = await submitKnown('one');
  const scan = async (tool: string, ...aliases: string[]): Promise<void> => {
    const finding = toFinding({ id: 'CVE-2021-44228', aliases, severity: 'critical' });
    const terms = { policy: defaultScanPolicy, now: new Date() };
    const result = toScanResult(version, { tools: [tool], findings: [finding] }, terms);
    await saveScan(version, result, { ...scanContext(), actor: anonymous });
  };
  const made = (prefix: string) => Array.from({ length: 50 }, (_, at) => `${prefix}-${at}`);
  await scan('trivy', 'GHSA-jfh8-c2jp-5v3q', ...made('B'));
  await scan('a-liar', ...made('A'));
  await scan('another-liar', ...made('AA'));

  const indexed = await expectIndexed(toVersionKey(version));

  expect([...indexed.keys()]).toEqual(
    expect.arrayContaining(['CVE-2021-44228', 'GHSA-JFH8-C2JP-5V3Q', 'A-49', 'AA-49', 'B-48']),
  );
  expect(indexed).toHaveProperty('size', 1 + 50 + 50 + 50);
  expect(indexed.get('GHSA-JFH8-C2JP-5V3Q')?.description.id).toBe('GHSA-jfh8-c2jp-5v3q');
  for (const [, { description }] of indexed) {
    expect(description.aliases).toHaveLength(limits.aliases);
    expect(description.aliases).not.toContain(description.id);
  }
});
