import { afterEach, beforeEach, expect, it } from 'vitest';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import type { VersionScan } from '../../../shared/scanners/osv/osv-client.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { countScans } from '../../../shared/storage/scans/scans.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { scanVersions } from '../../../shared/use-cases/scanning/scan-versions.ts';
import { UpstreamError } from '../../../shared/util/outbound-http/upstream-error.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { nothing, runCheck } from '../../storage/integrity/reviewed-registry.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { apply, rule } from '../policy/policy-registry.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.0.0' } as const;

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await submitPackage(id, writeContext());
});
afterEach(() => engine.close());

const scan = (outcome: Partial<VersionScan>) =>
  scanVersions([id], () => true, {
    osv: { scanVersions: async () => [{ id, ...outcome } as VersionScan] },
    policy: defaultScanPolicy,
    deadline: { remainingMs: () => 60_000 },
  });

const fail = () => scan({ error: new UpstreamError('no answer of use') });

it('counts how often the own scan of a version broke, up to as often as anyone waits for', async () => {
  const seen: unknown[] = [];
  for (let times = 0; times < 5; times += 1) {
    await fail();
    const { evidence_revision, latest_scan_number, sources } = await readReviewState(id);
    seen.push([evidence_revision, latest_scan_number, sources[0]?.failures]);
  }

  expect(seen).toEqual([
    [1, 1, 1],
    [2, 1, 2],
    [3, 1, 3],
    [3, 1, 3],
    [3, 1, 3],
  ]);
  expect(await countScans(id)).toBe(1);
  expect((await runCheck(false)).found).toEqual(nothing);
});

it('counts those once that broke at the same moment', async () => {
  await fail();
  await Promise.all([fail(), fail(), fail(), fail(), fail()]);

  expect((await readReviewState(id)).sources[0]?.failures).toBe(3);
});

it('begins anew where one finished', async () => {
  await fail();
  await fail();
  await scan({ findings: [] });
  expect((await readReviewState(id)).sources[0]).toMatchObject({ failures: 0, reason: null });
  await fail();

  expect((await readReviewState(id)).sources[0]).toMatchObject({ failures: 1 });
});

it('is waited for no more by rules when it broke three times', async () => {
  const inquiries = { isScanning: true, isCollectingFacts: false };
  const rules = [rule('unscanned', { when: { scan: ['missing'] }, then: 'reject' })];
  const outcomes: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    await fail();
    outcomes.push(await apply(rules, { inquiries }));
  }

  expect(outcomes).toEqual(['waiting', 'waiting', 'decided']);
});
