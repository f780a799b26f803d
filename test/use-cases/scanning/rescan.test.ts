import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { readRescanState } from '../../../shared/storage/scans/rescan-state.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { rescan } from '../../../shared/use-cases/scanning/rescan.ts';
import type { Scanning } from '../../../shared/use-cases/scanning/scan-versions.ts';
import { UpstreamError } from '../../../shared/util/outbound-http/upstream-error.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const minuteMs = 60_000;

let engine: TestEngine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const makeVersion = (at: number): PackageId => ({
  ecosystem: 'npm',
  name: `unreadable-${String(at).padStart(3, '0')}`,
  version: '1.0.0',
});

/** Scanning for 15 minutes, of which each batch takes 5, and which makes nothing of any version. */
const makeSlowScanning = (asked: PackageId[]): Scanning => {
  let remaining = 15 * minuteMs;
  return {
    osv: {
      scanVersions: async (ids) => {
        remaining -= 5 * minuteMs;
        asked.push(...ids);
        return ids.map((id) => ({ id, error: new UpstreamError('no answer of use') }));
      },
    },
    policy: defaultScanPolicy,
    deadline: { remainingMs: () => remaining },
  };
};

describe('the list of what is still to be scanned, where all of it keeps failing', () => {
  it('is gone through from run to run, and leaves the approved versions their time', async () => {
    const versions = Array.from({ length: 250 }, (_, at) => makeVersion(at));
    for (const version of versions) await submitPackage(version, writeContext());
    const runs: PackageId[][] = [];

    for (const hour of [10, 11, 12]) {
      const asked: PackageId[] = [];
      const rules = { everyHours: 24, now: new Date(`2026-01-01T${hour}:00:00Z`) };
      const report = await rescan(rules, makeSlowScanning(asked));
      expect(report.done).toBe(true);
      runs.push(asked);
    }

    expect(runs).toEqual([versions.slice(0, 200), versions.slice(200), versions.slice(0, 200)]);
    expect(await readRescanState()).toMatchObject({ after: null });
  });
});
