import { formatDetails } from '../output/details.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine } from '../output/text.ts';
import { formatValue } from '../output/values.ts';
import { describePrevious } from '../route/presented-package.ts';
import { describeUnscanned, isUnfinished } from '../route/unscanned.ts';
import { words } from '../route/words.ts';
import type { Evidence } from './evidence.ts';

const describeLicense = ({ detail, license }: Evidence): string => {
  if (detail.license === null) return 'none given';
  if (license === null) return `${detail.license} (unreviewed: nothing is known of it)`;
  const { reading, status, category } = license;
  const read = reading === null || reading === detail.license ? '' : `reads as ${reading}: `;
  return `${detail.license} (${read}${status}, ${category})`;
};

/** The scan as people read it: what nobody looked for is not known. */
const describeScan = ({ scan }: Evidence): string => {
  if (scan === null) return 'never scanned';
  const { status, scan_date, severity, tools_used } = scan;
  const found = isUnfinished(scan) ? 'not known' : formatValue(severity);
  return `${status} on ${scan_date}: ${found}, by ${formatValue(tools_used)}`;
};

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
    previous: describePrevious(detail),
    vulnerabilities: scan?.vulnerabilities.length ? scan.vulnerabilities : null,
  };
  const warning = describeUnscanned(`${detail.name} ${detail.version}`, scan);
  return [
    output.style('bold', title),
    ...formatDetails(facts, output, words.showScan.columns),
    ...(warning ? [`${output.style('yellow', 'warning:')} ${toOneLine(warning)}`] : []),
  ];
};
