import type { ScanResult } from '../../shared/api/schemas/scan.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import type { ScanStatus } from '../../shared/domain/vulnerabilities/scan-result.ts';

const unfinished: readonly ScanStatus[] = ['pending', 'error'];

/** Returns whether a scan did not finish. Its lists and counters are empty then, and mean nothing. */
export const isUnfinished = (scan: object): boolean =>
  'status' in scan && unfinished.some((status) => status === scan.status);

type Scan = Pick<ScanResult, 'status' | 'reason'>;

const describeState = ({ status, reason }: Scan): string =>
  status === 'pending' ? 'has not been scanned yet' : `could not be scanned (${reason})`;

/** Names the version of a scan, as commands take it. */
export const nameScanned = ({ ecosystem, package: name, version }: ScanResult): string =>
  formatPackage({ ecosystem, name, version });

/** Returns the warning that the vulnerabilities of a version are not known; undefined if a scan has finished. */
export const describeUnscanned = (version: string, scan: Scan | null): string | undefined => {
  if (scan && !isUnfinished(scan)) return undefined;
  const state = scan ? describeState(scan) : 'has no scan';
  return `${version} ${state}: its vulnerabilities are not known.`;
};
