import { detailLines } from '../output/details.ts';
import { oneLine } from '../output/text.ts';
import { shown } from '../output/values.ts';
import type { Output } from '../terminal.ts';
import { words } from '../words.ts';
import type { Evidence } from './evidence.ts';

const licenseText = ({ detail, license }: Evidence): string => {
  if (detail.license === null) return 'none given';
  if (license === null) return `${detail.license} (nothing is known of it)`;
  return `${detail.license} (${license.status}, ${license.category})`;
};

const scanText = ({ scan }: Evidence): string =>
  scan === null
    ? 'never scanned'
    : `${scan.status} on ${scan.scan_date}: ${shown(scan.severity)}, by ${shown(scan.tools_used)}`;

/** A package with its scan and its license, for a reviewer. */
export const evidenceLines = (evidence: Evidence, output: Output): string[] => {
  const { detail, scan } = evidence;
  const { description, homepage, repository, submitted_by, submitted_at } = detail;
  const title = oneLine(`${detail.name} ${detail.version} (${detail.ecosystem})`);
  const facts = {
    description,
    license: licenseText(evidence),
    scan: scanText(evidence),
    homepage,
    repository,
    submitted_by,
    submitted_at,
    vulnerabilities: scan?.vulnerabilities.length ? scan.vulnerabilities : null,
  };
  return [output.style('bold', title), ...detailLines(facts, output, words.showScan.columns)];
};
