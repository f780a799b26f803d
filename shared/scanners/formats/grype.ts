import * as z from 'zod';
import { boundedList, identifier } from '../../api/schemas/scan-report.ts';
import { type Cvss, readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import { parseRating } from '../../domain/vulnerabilities/severity.ts';
import {
  listImageSubjects,
  listPurlSubjects,
  type Subject,
} from '../../domain/vulnerabilities/subject.ts';
import type { Finding, NotAffecting } from '../../domain/vulnerabilities/vulnerability.ts';
import { isObject } from '../../util/json.ts';
import { checkBounds, parseReport, refuse } from './checked.ts';
import type { ReportFormat } from './report-format.ts';
import { isHarmlessVexStatus, joinReason } from './vex.ts';

const tool = 'grype';
const title = 'a report of Grype (grype -o json)';

const Epss = boundedList(z.object({ epss: z.unknown() }))
  .nullish()
  .catch(null);

const Vector = z.object({ vector: z.string().optional() });

const Described = z.object({
  id: identifier,
  /** Entries of CISA's KEV catalogue. */
  knownExploited: boundedList(z.unknown()).nullish().catch(null),
  epss: Epss,
  dataSource: z.string().nullish(),
  description: z.string().nullish(),
  cvss: boundedList(Vector).nullish(),
  urls: boundedList(z.string()).nullish(),
});

/** Fields of a vulnerability up to Grype 0.12. */
const Old = z.object({
  cvssV2: Vector.nullish(),
  cvssV3: Vector.nullish(),
  links: boundedList(z.string()).nullish(),
  fixedInVersion: z.string().nullish(),
});

const Found = z
  .object({ versionConstraint: z.string().optional(), constraint: z.string().optional() })
  .nullish()
  .catch(null);

const MatchDetail = z.object({ found: Found, matchedOn: Found });

const Match = z.object({
  vulnerability: z.object({
    ...Described.shape,
    ...Old.shape,
    namespace: z.string().nullish(),
    severity: z.string().nullish(),
    fix: z
      .object({ versions: boundedList(z.string()).nullish(), state: z.string().nullish() })
      .nullish(),
  }),
  relatedVulnerabilities: boundedList(Described).nullish(),
  // A single object up to Grype 0.12.
  matchDetails: z
    .union([boundedList(MatchDetail), MatchDetail.transform((one) => [one])])
    .nullish(),
  artifact: z.object({ name: z.string(), version: z.string().nullish() }),
});
type Match = z.infer<typeof Match>;

const IgnoredMatch = z.object({
  ...Match.shape,
  appliedIgnoreRules: boundedList(
    z.object({ 'vex-status': z.string().nullish(), 'vex-justification': z.string().nullish() }),
  ).nullish(),
});
type IgnoredMatch = z.infer<typeof IgnoredMatch>;

const Names = boundedList(z.string()).nullish();

const ImageSource = z.object({
  type: z.literal('image'),
  target: z.object({ userInput: z.string().nullish(), tags: Names, repoDigests: Names }),
});

const PurlSource = z.object({ type: z.literal('purl'), target: z.string() });

const databaseFault = z.string().nullish().catch('no reason given');

const Report = z.object({
  matches: boundedList(Match),
  ignoredMatches: boundedList(IgnoredMatch).nullish(),
  // Other types are directories, files and SBOMs.
  source: z.discriminatedUnion('type', [ImageSource, PurlSource]).nullish().catch(null),
  descriptor: z.object({
    name: z.literal('grype', { error: 'must be grype' }),
    // Newer releases report the error in the database's status, older ones in the database.
    db: z
      .object({ error: databaseFault, status: z.object({ error: databaseFault }).nullish() })
      .nullish(),
  }),
});

type Report = z.infer<typeof Report>;

const listSubjects = ({ source }: Report): Subject[] => {
  if (!source) return [];
  if (source.type === 'purl') return listPurlSubjects(source.target);
  const { userInput, tags, repoDigests } = source.target;
  return listImageSubjects(userInput, [...(tags ?? []), ...(repoDigests ?? [])]);
};

/**
 * Returns the related id if there is exactly one. A vendor's advisory relates to all vulnerabilities that it covers and
 * must not merge them.
 */
const listAliases = ({ vulnerability, relatedVulnerabilities }: Match): string[] => {
  const related = new Set((relatedVulnerabilities ?? []).map(({ id }) => id));
  related.delete(vulnerability.id);
  return related.size === 1 ? [...related] : [];
};

/** Returns a constraint in plain notation: `>= 1.0.0, < 1.2.6 (semver)` becomes `>=1.0.0 <1.2.6`. */
const formatStretch = (constraint: string): string =>
  constraint
    .replace(/ \([a-z]+\)$/, '')
    .split(',')
    .map((bound) => bound.trim().replace(/^([<>=]+)\s+/, '$1'))
    .join(' ');

const listRanges = ({ matchDetails }: Match): string[] =>
  (matchDetails ?? [])
    .map(({ found, matchedOn }) => found ?? matchedOn)
    .flatMap((range) => (range?.versionConstraint ?? range?.constraint ?? '').split('||'))
    .map(formatStretch)
    .filter((stretch) => stretch !== 'none');

/** Returns the CVSS ratings of the vulnerability, or else of related ones. */
const listCvss = ({ vulnerability, relatedVulnerabilities }: Match): (Cvss | null)[] => {
  const { cvss, cvssV2, cvssV3 } = vulnerability;
  const own = [...(cvss ?? []), cvssV3 ?? [], cvssV2 ?? []].flat();
  const related = (relatedVulnerabilities ?? []).flatMap((one) => one.cvss ?? []);
  return (own.length > 0 ? own : related).map(({ vector }) => readCvss(vector ?? ''));
};

const listReferences = ({ vulnerability, relatedVulnerabilities }: Match): string[] => [
  ...[vulnerability, ...(relatedVulnerabilities ?? [])].flatMap(({ dataSource, urls }) => [
    dataSource ?? '',
    ...(urls ?? []),
  ]),
  ...(vulnerability.links ?? []),
];

const readFinding = (match: Match, notAffecting: NotAffecting | null): Finding => {
  const { vulnerability, artifact } = match;
  const described = [vulnerability, ...(match.relatedVulnerabilities ?? [])];
  return toFinding({
    id: vulnerability.id,
    aliases: listAliases(match),
    summary: described.map(({ description }) => description).find(Boolean) ?? '',
    severity: parseRating(vulnerability.severity ?? ''),
    cvss: listCvss(match),
    ranges: listRanges(match),
    fixedVersions: vulnerability.fix?.versions ?? [vulnerability.fixedInVersion ?? ''],
    fixState: vulnerability.fix?.state,
    references: listReferences(match),
    components: [`${artifact.name} ${artifact.version ?? ''}`],
    notAffecting,
    knownExploited: described.some(({ knownExploited }) => (knownExploited ?? []).length > 0),
    epss: described.flatMap(({ epss }) => epss ?? []).map(({ epss }) => epss),
    sources: [(vulnerability.namespace || 'grype').split(':', 1)[0] ?? ''],
  });
};

/**
 * Returns the VEX statement of an ignored match that it does not affect the version. Other ignore rules are user
 * preferences and return null.
 */
const findNotAffecting = ({ appliedIgnoreRules }: IgnoredMatch): NotAffecting | null => {
  for (const rule of appliedIgnoreRules ?? []) {
    const status = rule['vex-status'] ?? '';
    if (!isHarmlessVexStatus(status)) continue;
    return { by: tool, reason: joinReason(status, rule['vex-justification']) };
  }
  return null;
};

const readIgnored = (match: IgnoredMatch): Finding[] => {
  const notAffecting = findNotAffecting(match);
  return notAffecting ? [readFinding(match, notAffecting)] : [];
};

export const grype: ReportFormat = {
  title,
  tools: [tool],
  recognises: ({ matches, descriptor }) =>
    matches !== undefined || (isObject(descriptor) && descriptor['name'] === 'grype'),
  read: (body) => {
    const report = parseReport(title, Report, body);
    const { matches, ignoredMatches, descriptor } = report;
    const fault = descriptor.db?.error || descriptor.db?.status?.error;
    if (fault) {
      throw refuse(
        title,
        `its vulnerability database has an error: ${fault.slice(0, 200)}; run grype db update`,
      );
    }
    checkBounds(title, [...matches, ...(ignoredMatches ?? [])]);
    const findings = [
      ...matches.map((match) => readFinding(match, null)),
      ...(ignoredMatches ?? []).flatMap(readIgnored),
    ];
    return { tools: [tool], subjects: listSubjects(report), findings };
  },
};
