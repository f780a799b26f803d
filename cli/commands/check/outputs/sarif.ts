import type { Log, Result } from 'sarif';
import packageJson from '../../../../package.json' with { type: 'json' };
import {
  counts,
  explainFinding,
  type Finding,
  type FindingStatus,
  toTitle,
} from '../../../../shared/use-cases/dependency-check/findings.ts';
import { toPrintable } from '../../../output/text.ts';
import { type CheckReport, failsCheck } from '../report.ts';
import { describePulling, toPathFrom } from './places.ts';

/** A file of which not everything was checked. */
type Gap = CheckReport['not_checked'][number];

const ruleTexts = {
  rejected: 'A package version that was rejected in review',
  other_content: 'A package version with other content than was reviewed',
  other_source: 'A package, or an index of packages, at a host that packages may not come from',
  unreadable: 'A file of dependencies that cannot be read',
  unpinned: 'A dependency of which nobody can tell the version',
  unknown: 'A package version that nobody ever submitted for review',
  pending: 'A package version that waits for review',
} as const satisfies Partial<Record<FindingStatus, string>>;

/** What fails nothing, unless --require-closure asks for it. */
const gapTexts = {
  not_read: 'A list of packages that is not read',
  no_lockfile: 'A project without a lockfile',
  incomplete: 'A file of dependencies that cannot have everything that is installed',
} as const satisfies Record<Gap['reason'], string>;

const makeRules = (texts: Readonly<Record<string, string>>, level: Result.level) =>
  Object.entries(texts).map(([id, text]) => ({
    id,
    shortDescription: { text },
    defaultConfiguration: { level },
  }));

const rules = [...makeRules(ruleTexts, 'error'), ...makeRules(gapTexts, 'warning')];

const toUri = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** A finding as one result: the first place is where it is shown, the others are related. */
const toResult = (finding: Finding, root: string | undefined): Result => {
  const { status, ecosystem, name, version, found_in } = finding;
  const locations = found_in.map(({ file, line }) => ({
    physicalLocation: {
      artifactLocation: { uri: toUri(toPathFrom(root, file)) },
      region: { startLine: line ?? 1 },
    },
  }));
  return {
    ruleId: status,
    level: 'error',
    message: {
      text: toPrintable(
        `${toTitle(finding)}: ${explainFinding(finding)} ${found_in[0] ? describePulling(found_in[0]) : ''}`,
      ).trim(),
    },
    locations: locations.slice(0, 1),
    ...(locations.length > 1 && {
      relatedLocations: locations.slice(1).map((location, id) => ({ ...location, id })),
    }),
    // The same package in another line is the same finding.
    partialFingerprints: { package: JSON.stringify([ecosystem, name, version]) },
  };
};

/** A file of which not everything was checked, as one result: an error where the check fails for it. */
const toGapResult = (gap: Gap, report: CheckReport, root?: string): Result => ({
  ruleId: gap.reason,
  level: failsCheck(gap, report) ? 'error' : 'warning',
  message: { text: toPrintable(gap.message) },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: toUri(toPathFrom(root, gap.file)) },
        region: { startLine: 1 },
      },
    },
  ],
  partialFingerprints: { file: JSON.stringify([gap.reason, gap.file]) },
});

/** The report in the Static Analysis Results Interchange Format, version 2.1.0, of OASIS; paths begin at the root. */
export const formatSarif = (report: CheckReport, root: string | undefined): string => {
  const { packages, not_checked: gaps } = report;
  const log: Log = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'registry check', version: packageJson.version, rules } },
        results: [
          ...packages.filter(counts).map((finding) => toResult(finding, root)),
          ...gaps.map((gap) => toGapResult(gap, report, root)),
        ],
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
};
