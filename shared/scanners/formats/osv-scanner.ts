import * as z from 'zod';
import { boundedList } from '../../api/schemas/scan-report.ts';
import { rateScore } from '../../domain/vulnerabilities/severity.ts';
import { listImageSubjects } from '../../domain/vulnerabilities/subject.ts';
import type { Finding, NotAffecting } from '../../domain/vulnerabilities/vulnerability.ts';
import { readOsvFindings } from '../osv/findings.ts';
import { OsvRecord } from '../osv/osv-record.ts';
import { checkBounds, dictionary, parseReport } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const tool = 'osv-scanner';
const title = 'a report of OSV-Scanner (osv-scanner --format json)';

/** Analysis by vulnerability id: whether its code is called, and its importance according to the distribution. */
const Analysis = dictionary(
  z.object({ called: z.boolean().nullish(), unimportant: z.boolean().nullish() }),
)
  .nullish()
  // Without a valid analysis, the vulnerability counts.
  .catch(null);

const Group = z.object({
  ids: boundedList(z.string()),
  max_severity: z.string().optional(),
  experimental_analysis: Analysis,
  /** Field name before version 2. */
  experimentalAnalysis: Analysis,
});
type Group = z.infer<typeof Group>;

const PackageShape = z.object({
  package: z.object({
    name: z.string(),
    version: z.string().optional(),
    ecosystem: z.string().optional(),
  }),
  vulnerabilities: boundedList(OsvRecord).nullish(),
  groups: boundedList(Group).nullish(),
});
type ScannedPackage = z.infer<typeof PackageShape>;

interface Result {
  readonly packages: readonly ScannedPackage[];
}

const listPackages = (results: readonly Result[]): ScannedPackage[] =>
  results.flatMap(({ packages }) => packages);

const listVulnerabilities = (scanned: readonly ScannedPackage[]): OsvRecord[] =>
  scanned.flatMap(({ vulnerabilities }) => vulnerabilities ?? []);

/** True if each group contains a vulnerability of the report. */
const containsGroups = ({ vulnerabilities, groups }: ScannedPackage): boolean => {
  const listed = new Set((vulnerabilities ?? []).map(({ id }) => id));
  return (groups ?? []).every(({ ids }) => ids.some((id) => listed.has(id)));
};

const ScannedPackage = PackageShape.refine(containsGroups, {
  path: ['vulnerabilities'],
  error: 'must contain every vulnerability of groups',
});

/** Scanned image, only before version 2. Later reports do not contain its name. */
const Source = z
  .object({ path: z.string().nullish(), type: z.string().nullish() })
  .nullish()
  .catch(null);

const Report = z
  .object({
    results: boundedList(z.object({ source: Source, packages: boundedList(ScannedPackage) })),
    experimental_config: z.object({}).optional(),
  })
  .refine(
    ({ results, experimental_config }) =>
      experimental_config || listVulnerabilities(listPackages(results)).length > 0,
    {
      path: ['experimental_config'],
      error: 'is required where nothing was found; OSV-Scanner writes it since 1.5.0',
    },
  );

/** Returns groups of equal vulnerabilities by each of their ids. */
const groupsById = ({ groups }: ScannedPackage) =>
  new Map((groups ?? []).flatMap((group) => group.ids.map((id) => [id, group] as const)));

const findRating = (group: Group | undefined) => {
  const score = Number.parseFloat(group?.max_severity ?? '');
  return Number.isNaN(score) ? null : rateScore(score);
};

/** Returns the statement that a group does not affect the version. As in OSV-Scanner, all its analyses must agree. */
const findNotAffecting = (group: Group | undefined): NotAffecting | null => {
  const analyses = Object.values(group?.experimental_analysis ?? group?.experimentalAnalysis ?? {});
  const isHarmless = analyses.every(({ called, unimportant }) => called === false || unimportant);
  if (analyses.length === 0 || !isHarmless) return null;
  const isCalled = analyses.every(({ called }) => called !== false);
  return { by: tool, reason: isCalled ? 'unimportant' : 'its code is not called' };
};

const readFindings = (scanned: ScannedPackage): Finding[] => {
  const { name, version = '', ecosystem = '' } = scanned.package;
  const groups = groupsById(scanned);
  return readOsvFindings(scanned.vulnerabilities ?? [], { ecosystem, name }, version).map(
    (finding) => {
      const group = groups.get(finding.id);
      const rating = finding.severity === 'unrated' ? findRating(group) : null;
      return {
        ...finding,
        severity: rating ?? finding.severity,
        not_affecting: findNotAffecting(group),
      };
    },
  );
};

/** Fields of other tools' reports, such as Bandit and Semgrep, which also have `results`. */
const foreignFields = ['errors', 'metrics', 'paths'];

export const osvScanner: ReportFormat = {
  title,
  tools: [tool],
  recognises: (body) =>
    body['results'] !== undefined && !foreignFields.some((field) => field in body),
  read: (body) => {
    const { results } = parseReport(title, Report, body);
    const scanned = listPackages(results);
    checkBounds(title, listVulnerabilities(scanned));
    const subjects = results.flatMap(({ source }) =>
      source?.type === 'docker' ? listImageSubjects(source.path) : [],
    );
    return { tools: [tool], subjects, findings: scanned.flatMap(readFindings) };
  },
};
