import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { describeAwaited } from '../../shared/domain/policy/next-evaluation.ts';
import { listRecallRecords, nameRecallRecord } from '../../shared/domain/recalls/recall.ts';
import { describeAutomatic } from '../../shared/domain/review/automatic-submission.ts';
import { describeProposal } from '../../shared/domain/review/describe-proposal.ts';
import { describeActor, describeSubmitter } from '../../shared/domain/tokens/describe-actor.ts';
import { describeDuration } from '../../shared/util/duration.ts';
import { formatDetails } from '../output/details.ts';
import type { Output } from '../output/terminal.ts';
import { formatCount, toOneLine, wrap } from '../output/text.ts';
import { colourValue } from '../output/values.ts';
import { describeSboms } from './image-sboms.ts';
import { describeLicenseEvidence } from './license-evidence.ts';
import { describeScan, formatScanDetails } from './merged-scan.ts';
import { describePrevious } from './package-detail.ts';
import { describeProvenance } from './provenance.ts';
import { describeUnscanned } from './unscanned.ts';
import { formatFirstChanges } from './version-changes.ts';

/** Formats a date and its age: `2014-03-01 (12 years ago)`. */
const describeAge = (at: string): string =>
  `${at.slice(0, 10)} (${describeDuration(Date.now() - Date.parse(at))} ago)`;

const withReason = (what: string, reason: string): string => (reason ? `${what}: ${reason}` : what);

/** Describes the upstream metadata of the version in one line. */
const describeFacts = ({ facts, package: { version } }: VersionEvidence): string => {
  if (facts === null) return 'not checked yet';
  if (facts.found !== 'yes') {
    return withReason(facts.found === 'no' ? 'not found' : 'not known', facts.reason ?? '');
  }
  const { published_at, newest_version, deprecated, yanked, install_scripts } = facts;
  return [
    published_at ? `published ${describeAge(published_at)}` : 'found',
    ...(newest_version && newest_version !== version ? [`latest version ${newest_version}`] : []),
    ...(yanked === null ? [] : [withReason('yanked', yanked)]),
    ...(deprecated === null ? [] : [withReason('deprecated', deprecated)]),
    ...(install_scripts && install_scripts.length > 0
      ? [`install scripts: ${install_scripts.join(', ')}`]
      : []),
  ].join('; ');
};

const describeEarlier = ({ earlier }: VersionEvidence): string | null =>
  earlier.length === 0
    ? null
    : earlier
        .map(({ version, status, at, ...actor }) => {
          const by = describeActor(actor);
          return [`${version} ${status}`, by === null ? '' : `by ${by}`, `on ${at.slice(0, 10)}`]
            .filter(Boolean)
            .join(' ');
        })
        .join('; ');

/** Formats the issues of the version, blocking issues first. */
const formatIssues = ({ issues }: VersionEvidence, output: Output): string[] => {
  if (issues.length === 0) return [];
  const sorted = issues.toSorted((one, other) => Number(other.blocks) - Number(one.blocks));
  const lines = sorted.flatMap(({ blocks, message }) => {
    const mark = blocks ? output.style('red', 'blocks') : output.style('yellow', 'warns ');
    const [head = '', ...rest] = wrap(toOneLine(message), Math.max(20, output.width - 8));
    return [`${mark}  ${head}`, ...rest.map((line) => `${' '.repeat(8)}${line}`)];
  });
  return ['', output.style('bold', 'Issues'), ...lines];
};

/** Describes the automatic checks that have not finished, or the freeze that stops a rule; null if there are none. */
const describeWaits = ({ waits_for, frozen_rule }: VersionEvidence): string | null => {
  if (frozen_rule) return `the end of the freeze (rule ${frozen_rule})`;
  const checks = waits_for.filter((wait) => wait !== 'freeze');
  return checks.length > 0 ? describeAwaited(checks) : null;
};

const shownFiles = 5;

/** Formats the digests of files, unwrapped so that people can copy them. */
const formatFiles = ({ files: known }: VersionEvidence, output: Output): string[] => {
  if (!known) return [];
  const { pinned, total, files } = known;
  const shown = files.slice(0, shownFiles);
  const more = total - shown.length;
  return [
    '',
    output.style('bold', pinned ? 'Files pinned by the approval' : 'Files that an approval pins'),
    ...shown.map(
      ({ file, digest }) => `${toOneLine(digest ?? 'no digest upstream')}  ${toOneLine(file)}`,
    ),
    ...(more > 0 ? [`and ${formatCount(more)} more; --json has ${formatCount(files.length)}`] : []),
  ];
};

/** Describes why the registry submitted the version: `security fix of 4.17.20: CVE-2026-1`; null if a request did. */
const describeCause = ({ automatic }: VersionEvidence): string | null => {
  // Registries of earlier releases send no such field.
  if (!automatic) return null;
  const fixes = automatic.fixes.length === 0 ? '' : `: ${automatic.fixes.join(', ')}`;
  return `${describeAutomatic(automatic)}${fixes}`;
};

/** Formats what is proposed: `Upgrade of approved 4.17.20, patch`; nothing if it is unknown. */
const formatProposal = (evidence: VersionEvidence, output: Output): string[] => {
  const proposal = describeProposal(evidence);
  return proposal === null ? [] : wrap(toOneLine(proposal), output.width);
};

/** Formats the evidence of a decision on a version, on one screen. */
export const formatEvidence = (evidence: VersionEvidence, output: Output): string[] => {
  const { package: detail, scan, facts, recall, held_by, next_evaluation } = evidence;
  const { name, version, ecosystem, status, submitted_at } = detail;
  const title = output.style('bold', toOneLine(formatPackage({ ecosystem, name, version })));
  const fields = {
    description: detail.description ?? facts?.description ?? null,
    license: describeLicenseEvidence(evidence.license, facts?.licenses_declared),
    upstream: describeFacts(evidence),
    provenance: describeProvenance(facts?.provenance ?? null),
    sboms: describeSboms(evidence),
    scan: scan ? describeScan(scan) : 'no scan',
    homepage: detail.homepage ?? facts?.homepage ?? null,
    repository: detail.repository ?? facts?.repository ?? null,
    submitted_by: describeSubmitter({
      by: detail.submitted_by,
      token_label: detail.submitted_token_label,
    }),
    submitted_at,
    why_submitted: describeCause(evidence),
    justification: evidence.justification,
    recalled: recall && listRecallRecords(recall).map(nameRecallRecord).join(', '),
    previous: describePrevious(detail),
    other_versions: describeEarlier(evidence),
    waits_for: describeWaits(evidence),
    needs_manual_review: held_by && `rule ${held_by}`,
    minimum_age:
      next_evaluation && `on ${next_evaluation.at.slice(0, 10)} (rule ${next_evaluation.rule})`,
  };
  // A version without a scan has an issue for that.
  const warning = scan && describeUnscanned(formatPackage({ ecosystem, name, version }), scan);
  return [
    `${title}  ${colourValue(status, output)}`,
    ...formatProposal(evidence, output),
    ...formatFirstChanges(evidence, output),
    '',
    ...formatDetails(fields, output),
    ...formatIssues(evidence, output),
    ...formatFiles(evidence, output),
    ...(scan ? formatScanDetails(scan, output) : []),
    ...(warning ? [`${output.style('yellow', 'warning:')} ${toOneLine(warning)}`] : []),
  ];
};
