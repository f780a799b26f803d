import { type RegistryClient, RequestError } from '../../shared/api/client/client.ts';
import type { PackageDetail } from '../../shared/api/schemas/package.ts';
import type { ScanResult } from '../../shared/api/schemas/scan.ts';
import type { ScanStatus } from '../../shared/domain/vulnerabilities/scan-result.ts';

const unfinished: readonly ScanStatus[] = ['pending', 'error'];

/** Whether a scan did not come to an end. What it lists and counts is then empty because nobody looked. */
export const isUnfinished = (scan: object): boolean =>
  'status' in scan && unfinished.some((status) => status === scan.status);

/** A scan of a list for people: "not known" in place of zeros, where it did not come to an end. */
export const presentScan = (scan: object): object =>
  isUnfinished(scan) ? { ...scan, severity: 'not known' } : scan;

type Scan = Pick<ScanResult, 'status' | 'reason'>;

const describeState = ({ status, reason }: Scan): string =>
  status === 'pending' ? 'has not been scanned yet' : `could not be scanned (${reason})`;

/** What to be warned of where nothing is known of a version's vulnerabilities; undefined where a scan tells. */
export const describeUnscanned = (version: string, scan: Scan | null): string | undefined => {
  if (scan && !isUnfinished(scan)) return undefined;
  const state = scan ? describeState(scan) : 'has never been scanned';
  return `${version} ${state}: its vulnerabilities are not known.`;
};

/** Reads the scan of a version that was approved, to warn where it does not tell. The approval stands whatever comes. */
export const checkScan = async (
  { name, version, ecosystem }: PackageDetail,
  client: RegistryClient,
): Promise<string | undefined> => {
  const title = `${name} ${version}`;
  try {
    const scan = await client.showScan({ path: { name }, query: { ecosystem, version } });
    return describeUnscanned(title, scan);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.code === 'scan_not_found') return describeUnscanned(title, null);
    return `The scan of ${title} cannot be read: ${error.detail}`;
  }
};
