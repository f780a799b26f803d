import type { Log, Result } from 'sarif';
import packageJson from '../../../../package.json' with { type: 'json' };
import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import {
  counts,
  explainFinding,
  type Finding,
  type FindingStatus,
} from '../../../../shared/use-cases/dependency-check/findings.ts';
import {
  explainTag,
  listPinnedTags,
  type PinnedTag,
} from '../../../../shared/use-cases/dependency-check/tags.ts';
import { toPrintable } from '../../../output/text.ts';
import { type CheckReport, failsCheck } from '../report.ts';
import { describeDependencyPath, toPathFrom } from './places.ts';

/** A file with packages that were not checked. */
type Gap = CheckReport['not_checked'][number];

const ruleTexts = {
  rejected: 'A package version that was rejected in review',
  other_content: 'A package version with other content than reviewed',
  other_source: 'A package or index at a host that packages may not come from',
  unreadable: 'A file of dependencies that cannot be read',
  unpinned: 'A dependency without an exact version',
  unknown: 'A package version that is not in the registry',
  pending: 'A package version that is pending',
} as const satisfies Partial<Record<FindingStatus, string>>;

/** Gaps are warnings, unless --require-closure makes them errors. */
const gapTexts = {
  other_ecosystem: 'A lockfile of an ecosystem that the registry does not cover',
  not_read: 'A list of packages that is not read',
  no_lockfile: 'A project without a lockfile',
  incomplete: 'A file of dependencies that cannot list everything that is installed',
} as const satisfies Record<Gap['reason'], string>;

const makeRules = (texts: Readonly<Record<string, string>>, level: Result.level) =>
  Object.entries(texts).map(([id, text]) => ({
    id,
    shortDescription: { text },
    defaultConfiguration: { level },
  }));

/** Tags are allowed. */
const tagTexts = { tag: 'An approved image without the digest that was approved' } as const;

const rules = [
  ...makeRules(ruleTexts, 'error'),
  ...makeRules({ ...gapTexts, ...tagTexts }, 'warning'),
];

const toUri = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** How a finding is reported. */
interface Report {
  readonly ruleId: string;
  readonly level: Result.level;
  readonly text: string;
}

const toReport = (finding: Finding): Report => {
  const { status, found_in } = finding;
  const path = found_in[0] ? describeDependencyPath(found_in[0]) : '';
  const text = `${formatPackage(finding)}: ${explainFinding(finding)} ${path}`;
  return { ruleId: status, level: 'error', text };
};

const toTagReport = (tag: PinnedTag): Report => ({
  ruleId: 'tag',
  level: 'warning',
  text: explainTag(tag),
});

/** Returns a finding as a result at its first place; the others are related locations. */
const toResult = (
  { ecosystem, name, version, found_in }: Finding,
  { ruleId, level, text }: Report,
  root: string | undefined,
): Result => {
  const locations = found_in.map(({ file, line }) => ({
    physicalLocation: {
      artifactLocation: { uri: toUri(toPathFrom(root, file)) },
      region: { startLine: line ?? 1 },
    },
  }));
  return {
    ...{ ruleId, level },
    message: { text: toPrintable(text).trim() },
    locations: locations.slice(0, 1),
    ...(locations.length > 1 && {
      relatedLocations: locations.slice(1).map((location, id) => ({ ...location, id })),
    }),
    // A package on another line is still the same finding.
    partialFingerprints: { package: JSON.stringify([ecosystem, name, version]) },
  };
};

/** Returns a file with unchecked packages as a result: an error if it fails the check. */
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

/** Formats the report as SARIF 2.1.0 (OASIS); paths start from the root. */
export const formatSarif = (report: CheckReport, root: string | undefined): string => {
  const { packages, not_checked: gaps } = report;
  const log: Log = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'registry check', version: packageJson.version, rules } },
        results: [
          ...packages.filter(counts).map((one) => toResult(one, toReport(one), root)),
          ...gaps.map((gap) => toGapResult(gap, report, root)),
          ...listPinnedTags(packages).map((tag) => toResult(tag, toTagReport(tag), root)),
        ],
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
};
