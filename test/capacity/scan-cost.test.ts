import { afterAll, beforeAll, expect, it } from 'vitest';
import { anonymous } from '../../shared/domain/tokens/actor.ts';
import { toFinding } from '../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../shared/domain/vulnerabilities/scan-result.ts';
import { ownTool } from '../../shared/domain/vulnerabilities/scanned-ecosystems.ts';
import { readReviewFile } from '../../shared/storage/reviews/review-file.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../shared/use-cases/scanning/keep-scan.ts';
import { scanVersions } from '../../shared/use-cases/scanning/scan-versions.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';
import { scanContext, writeContext } from './write-context.ts';

const id = { ecosystem: 'npm', name: 'express', version: '4.17.1' } as const;

/** As long as descriptions in real databases. */
const findings = Array.from({ length: 12 }, (_, at) =>
  toFinding({
    id: `CVE-2026-${1000 + at}`,
    aliases: [`GHSA-${at}abc-${at}def-${at}ghi`],
    severity: at % 2 ? 'medium' : 'low',
    summary: `Something that number ${at} of them does wrong with input that somebody else chose`,
    fixedVersions: [`4.${18 + at}.0`],
    ranges: [`<4.${18 + at}.0`],
    references: [`https://example.com/advisories/${at}`, `https://example.com/commits/${at}`],
    components: ['express 4.17.1'],
    sources: ['osv'],
  }),
);

const keep = (tool: string, label: string | null) => {
  const context = { ...scanContext(), actor: { ...anonymous, label } };
  return saveScan(id, toScanResult(id, { tools: [tool], findings }, context), context);
};

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  await submitPackage({ ...id, license: 'MIT' }, writeContext());
  await keep(ownTool, null);
  await keep('trivy', 'ci');
  await keep('npm audit', 'ci');
});
afterAll(() => engine.close());

it('reads the merged scan of three tools in one call for 2 units', async () => {
  const { result, calls, readUnits } = await measure(() => readReviewFile(id));

  expect(result.findings.size).toBe(3);
  expect(calls).toBe(1);
  expect(readUnits).toBeLessThanOrEqual(2);
});

it('rescans all approved versions without new findings for half a unit each and no write', async () => {
  const osv = { scanVersions: async () => [{ id, findings }] };
  const { policy, deadline } = scanContext();

  const { result, calls, readUnits, writeUnits } = await measure(() =>
    scanVersions([id], () => true, { osv, policy, deadline, isRound: true }),
  );

  expect(result).toEqual([{ version: id, outcome: 'saved' }]);
  expect(calls).toBe(1);
  // Three scan sources make this review state larger than usual.
  expect({ readUnits, writeUnits }).toEqual({ readUnits: 0.5, writeUnits: 0 });
});

it('rescans without new findings for 4 units, and stores no scan', async () => {
  const { head: before } = await readReviewFile(id);
  const osv = { scanVersions: async () => [{ id, findings }] };
  const { policy, deadline } = scanContext();

  const { result, calls, readUnits, writeUnits } = await measure(() =>
    scanVersions([id], () => true, { osv, policy, deadline }),
  );

  const { head } = await readReviewFile(id);
  expect(result).toEqual([{ version: id, outcome: 'saved' }]);
  expect(calls).toBe(2);
  expect(readUnits + writeUnits).toBeLessThanOrEqual(4);
  expect({ scans: head.latest_scan_number, evidence_revision: head.evidence_revision }).toEqual({
    scans: before.latest_scan_number,
    evidence_revision: before.evidence_revision,
  });
  expect(head.sources.find(({ label }) => label === null)?.confirmed_at).not.toBeNull();
});
