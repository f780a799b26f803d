import { formatDetails } from '../output/details.ts';
import type { Output } from '../output/terminal.ts';
import { toOneLine } from '../output/text.ts';
import { describePrevious } from '../route/presented-package.ts';
import { describePicture, formatPicture } from '../route/scan-picture.ts';
import { describeUnscanned } from '../route/unscanned.ts';
import type { Evidence } from './evidence.ts';

const describeLicense = ({ detail, license }: Evidence): string => {
  if (detail.license === null) return 'none given';
  if (license === null) return `${detail.license} (unreviewed: nothing is known of it)`;
  const { reading, status, category } = license;
  const read = reading === null || reading === detail.license ? '' : `reads as ${reading}: `;
  return `${detail.license} (${read}${status}, ${category})`;
};

/** Formats a package with its scan and its license for a reviewer, as lines. */
export const formatEvidence = (evidence: Evidence, output: Output): string[] => {
  const { detail, scan } = evidence;
  const { description, homepage, repository, submitted_by, submitted_at } = detail;
  const title = toOneLine(`${detail.name} ${detail.version} (${detail.ecosystem})`);
  const facts = {
    description,
    license: describeLicense(evidence),
    scan: scan ? describePicture(scan) : 'never scanned',
    homepage,
    repository,
    submitted_by,
    submitted_at,
    previous: describePrevious(detail),
  };
  const warning = describeUnscanned(`${detail.name} ${detail.version}`, scan);
  return [
    output.style('bold', title),
    ...formatDetails(facts, output),
    ...(scan ? formatPicture(scan, output) : []),
    ...(warning ? [`${output.style('yellow', 'warning:')} ${toOneLine(warning)}`] : []),
  ];
};
