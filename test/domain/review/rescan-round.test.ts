import { expect, it } from 'vitest';
import { confirmByRescan, type RescanRound } from '../../../shared/domain/review/rescan-round.ts';
import type { ScanSource } from '../../../shared/domain/vulnerabilities/scan-source.ts';
import { ownSource } from '../policy/example.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
const [approvedAt, scannedAt, beganAt, later] = [
  '2026-01-01T00:00:00.000Z',
  '2026-01-02T00:00:00.000Z',
  '2026-02-01T00:00:00.000Z',
  '2026-02-02T00:00:00.000Z',
];
const own: ScanSource = { ...ownSource, confirmed_at: scannedAt };
const upload: ScanSource = { ...own, id: 'trivy' };
const round: RescanRound = { began_at: beganAt, skipped: [] };
const approved = { status: 'approved', at: approvedAt, sources: [own, upload] } as const;

const listTimes = (...args: Parameters<typeof confirmByRescan>) =>
  confirmByRescan(...args).map(({ confirmed_at }) => confirmed_at);

it('confirms the own scan of a version that was approved before the round, and no upload', () => {
  expect(listTimes(id, approved, round)).toEqual([beganAt, scannedAt]);
});

it.each([
  ['before the first round', approved, undefined],
  ['of a pending version', { ...approved, status: 'pending' as const }, round],
  ['of a version decided later', { ...approved, at: later }, round],
  [
    'of a version whose decision may have been stored after the round looked for it',
    { ...approved, at: '2026-01-31T23:50:00.000Z' },
    round,
  ],
  [
    'of a version that the round could not scan',
    approved,
    { ...round, skipped: ['npm#left-pad#1.3.0'] },
  ],
  ['that failed', { ...approved, sources: [{ ...own, reason: 'no answer' }, upload] }, round],
])('keeps the earlier time of a scan %s', (_, state, last) => {
  expect(listTimes(id, state, last)).toEqual([scannedAt, scannedAt]);
});

it('keeps the time of a scan after the start of the round', () => {
  const sources = [{ ...own, confirmed_at: later }];

  expect(listTimes(id, { ...approved, sources }, round)).toEqual([later]);
});
