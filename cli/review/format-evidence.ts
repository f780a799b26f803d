import { formatDetails } from '../output/details.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine } from '../output/text.ts';
import { formatValue } from '../output/values.ts';
import { words } from '../route/words.ts';
import type { Evidence } from './evidence.ts';

const describeLicense = ({ detail, license }: Evidence): string => {
  if (detail.license === null) return 'none given';
  if (license === null) return `${detail.license} (unreviewed: nothing is known of it)`;
  const { reading, status, category } = license;
  const read = reading === null || reading === detail.license ? '' : `reads as ${reading}: `;
  return `${detail.license} (${read}${status}, ${category})`;
};

const describeScan = ({ scan }: Evidence): string =>
  scan === null
    ? 'never scanned'
    : `${scan.status} on ${scan.scan_date}: ${formatValue(scan.severity)}, by ${formatValue(scan.tools_used)}`;

/** Formats a package with its scan and its license for a reviewer, as lines. */
export const formatEvidence = (evidence: Evidence, output: Output): string[] => {
  const { detail, scan } = evidence;
  const { description, homepage, repository, submitted_by, submitted_at } = detail;
  const title = toOneLine(`${detail.name} ${detail.version} (${detail.ecosystem})`);
  const facts = {
    description,
    license: describeLicense(evidence),
    scan: describeScan(evidence),
    homepage,
    repository,
    submitted_by,
    submitted_at,
    vulnerabilities: scan?.vulnerabilities.length ? scan.vulnerabilities : null,
  };
  return [output.style('bold', title), ...formatDetails(facts, output, words.showScan.columns)];
};
