import * as z from 'zod';
import { isObject } from '../domain/json.ts';
import { readCvss } from '../domain/scans/cvss.ts';
import { toFinding } from '../domain/scans/finding.ts';
import { parseSeverity } from '../domain/scans/severity.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import { boundedList, identifier, parseReport, refuse } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const title = 'a report of Grype (grype -o json)';

const Described = z.object({
  id: identifier,
  dataSource: z.string().nullish(),
  description: z.string().nullish(),
  cvss: boundedList(z.object({ vector: z.string().optional() })).nullish(),
  urls: boundedList(z.string()).nullish(),
});

const Match = z.object({
  vulnerability: z.object({
    ...Described.shape,
    namespace: z.string().nullish(),
    severity: z.string().nullish(),
    fix: z.object({ versions: boundedList(z.string()).nullish() }).nullish(),
  }),
  relatedVulnerabilities: boundedList(Described).nullish(),
  matchDetails: boundedList(
    z.object({
      found: z.object({ versionConstraint: z.string().optional() }).nullish().catch(null),
    }),
  ).nullish(),
  artifact: z.object({ name: z.string(), version: z.string().nullish() }),
});
type Match = z.infer<typeof Match>;

const databaseFault = z.string().nullish().catch('it does not say why');

const Report = z.object({
  matches: boundedList(Match),
  descriptor: z.object({
    name: z.literal('grype', { error: 'must be grype' }),
    // Newer releases say it of the database's status, older ones of the database.
    db: z
      .object({ error: databaseFault, status: z.object({ error: databaseFault }).nullish() })
      .nullish(),
  }),
});

/** A vendor's advisory relates to all vulnerabilities that it covers: it must not make them one. */
const listAliases = ({ vulnerability, relatedVulnerabilities }: Match): string[] => {
  const related = new Set((relatedVulnerabilities ?? []).map(({ id }) => id));
  related.delete(vulnerability.id);
  return related.size === 1 ? [...related] : [];
};

/** `>= 1.0.0, < 1.2.6 (semver)` as `>=1.0.0 <1.2.6`. */
const formatStretch = (constraint: string): string =>
  constraint
    .replace(/ \([a-z]+\)$/, '')
    .split(',')
    .map((bound) => bound.trim().replace(/^([<>=]+)\s+/, '$1'))
    .join(' ');

const listRanges = ({ matchDetails }: Match): string[] =>
  (matchDetails ?? [])
    .flatMap(({ found }) => (found?.versionConstraint ?? '').split('||'))
    .map(formatStretch)
    .filter((stretch) => stretch !== 'none');

const readFinding = (match: Match): Finding => {
  const { vulnerability, artifact } = match;
  const related = match.relatedVulnerabilities ?? [];
  const told = [vulnerability, ...related];
  return toFinding({
    id: vulnerability.id,
    aliases: listAliases(match),
    summary: told.map(({ description }) => description).find(Boolean) ?? '',
    severity: parseSeverity(vulnerability.severity ?? ''),
    cvss: (vulnerability.cvss?.length ? [vulnerability] : related)
      .flatMap(({ cvss }) => cvss ?? [])
      .map(({ vector }) => readCvss(vector ?? '')),
    ranges: listRanges(match),
    fixedVersions: vulnerability.fix?.versions ?? [],
    references: told.flatMap(({ dataSource, urls }) => [dataSource ?? '', ...(urls ?? [])]),
    components: [`${artifact.name} ${artifact.version ?? ''}`],
    sources: [(vulnerability.namespace || 'grype').split(':', 1)[0] ?? ''],
  });
};

export const grype: ReportFormat = {
  title,
  recognises: ({ matches, descriptor }) =>
    matches !== undefined || (isObject(descriptor) && descriptor['name'] === 'grype'),
  read: (body) => {
    const { matches, descriptor } = parseReport(title, Report, body);
    const fault = descriptor.db?.error || descriptor.db?.status?.error;
    if (fault) {
      throw refuse(title, `its database was at fault: ${fault.slice(0, 200)}; run grype db update`);
    }
    return { tools: ['grype'], findings: matches.map(readFinding) };
  },
};
