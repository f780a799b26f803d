import * as z from 'zod';
import { rateScore } from '../domain/scans/severity.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import { readOsvFindings } from '../osv/findings.ts';
import { OsvRecord } from '../osv/osv-record.ts';
import { boundedList, checkBounds, parseReport } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const title = 'a report of OSV-Scanner (osv-scanner --format json)';

const Group = z.object({
  ids: boundedList(z.string()),
  max_severity: z.string().optional(),
});

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

/** Whether each group is one of vulnerabilities that the report tells of. */
const tellsOfGroups = ({ vulnerabilities, groups }: ScannedPackage): boolean => {
  const told = new Set((vulnerabilities ?? []).map(({ id }) => id));
  return (groups ?? []).every(({ ids }) => ids.some((id) => told.has(id)));
};

const ScannedPackage = PackageShape.refine(tellsOfGroups, {
  path: ['vulnerabilities'],
  error: 'must tell of every vulnerability that groups names',
});

const Report = z
  .object({
    results: boundedList(z.object({ packages: boundedList(ScannedPackage) })),
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

/** What OSV-Scanner holds for one vulnerability, by each id of it. */
const groupsById = ({ groups }: ScannedPackage) =>
  new Map((groups ?? []).flatMap((group) => group.ids.map((id) => [id, group] as const)));

const findRating = (group: z.infer<typeof Group> | undefined) => {
  const score = Number.parseFloat(group?.max_severity ?? '');
  return Number.isNaN(score) ? null : rateScore(score);
};

const readFindings = (scanned: ScannedPackage): Finding[] => {
  const { name, version = '', ecosystem = '' } = scanned.package;
  const groups = groupsById(scanned);
  return readOsvFindings(scanned.vulnerabilities ?? [], { ecosystem, name }, version).map(
    (finding) => ({
      ...finding,
      severity: finding.severity ?? findRating(groups.get(finding.id)),
    }),
  );
};

/** What other tools, such as Bandit and Semgrep, write beside results of their own. */
const foreignFields = ['errors', 'metrics', 'paths'];

export const osvScanner: ReportFormat = {
  title,
  recognises: (body) =>
    body['results'] !== undefined && !foreignFields.some((field) => field in body),
  read: (body) => {
    const scanned = listPackages(parseReport(title, Report, body).results);
    checkBounds(title, listVulnerabilities(scanned));
    return { tools: ['osv-scanner'], findings: scanned.flatMap(readFindings) };
  },
};
