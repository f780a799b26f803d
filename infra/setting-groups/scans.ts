import { oneOf } from '../../shared/api/schemas/one-of.ts';
import { recallSources } from '../../shared/domain/recalls/recall.ts';
import { ratings } from '../../shared/domain/vulnerabilities/severity.ts';
import { verdicts } from '../../shared/domain/vulnerabilities/verdict.ts';
import { flag, httpUrl, positive, someOf } from '../setting-kinds.ts';

const SeverityOrNone = oneOf([...ratings, 'none']);

/** Settings of scans and recalls. */
export const scanSettings = {
  /** Whether OSV.dev scans submitted and approved versions. */
  osvScanning: flag.default(true),
  osvUrl: httpUrl.default('https://api.osv.dev'),
  osvTimeoutMs: positive('milliseconds')
    .refine((ms) => ms <= 20_000, { error: 'must be at most 20000 milliseconds' })
    .default(5000),
  /** The interval in hours at which all approved versions are rescanned. */
  rescanHours: positive('hours').default(24),
  /** The signals that recall an approved version. By default all of them, but removals only from public registries. */
  recall: someOf(...recallSources).optional(),
  /** The interval in minutes at which the malware feed and reports of removals are read. */
  recallMinutes: positive('minutes').default(2),
  malwareFeedUrl: httpUrl.default('https://osv-vulnerabilities.storage.googleapis.com'),
  /** The severities from which one vulnerability makes a scan fail, and warn. */
  scanFailedFrom: SeverityOrNone.default('high'),
  scanWarningFrom: SeverityOrNone.default('low'),
  /** The verdict of a scan with a vulnerability of unknown severity. */
  scanUnrated: oneOf(verdicts).default('warning'),
};
