import * as z from 'zod';
import { severityOfScore } from '../domain/scans/severity.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import { osvFindings } from '../osv/findings.ts';
import { OsvRecord } from '../osv/osv-record.ts';
import { bounded, checked, list } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const title = 'a report of OSV-Scanner (osv-scanner --format json)';

const Group = z.object({
  ids: list(z.string()),
  max_severity: z.string().optional(),
});

const PackageShape = z.object({
  package: z.object({
    name: z.string(),
    version: z.string().optional(),
    ecosystem: z.string().optional(),
  }),
  vulnerabilities: list(OsvRecord).nullish(),
  groups: list(Group).nullish(),
});
type ScannedPackage = z.infer<typeof PackageShape>;

interface Result {
  readonly packages: readonly ScannedPackage[];
}

const packagesOf = (results: readonly Result[]): ScannedPackage[] =>
  results.flatMap(({ packages }) => packages);

const vulnerabilitiesOf = (scanned: readonly ScannedPackage[]): OsvRecord[] =>
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
    results: list(z.object({ packages: list(ScannedPackage) })),
    experimental_config: z.object({}).optional(),
  })
  .refine(
    ({ results, experimental_config }) =>
      experimental_config || vulnerabilitiesOf(packagesOf(results)).length > 0,
    {
      path: ['experimental_config'],
      error: 'is required where nothing was found; OSV-Scanner writes it since 1.5.0',
    },
  );

/** What OSV-Scanner holds for one vulnerability, by each id of it. */
const groupsById = ({ groups }: ScannedPackage) =>
  new Map((groups ?? []).flatMap((group) => group.ids.map((id) => [id, group] as const)));

const ratedBy = (group: z.infer<typeof Group> | undefined) => {
  const score = Number.parseFloat(group?.max_severity ?? '');
  return Number.isNaN(score) ? null : severityOfScore(score);
};

const findingsOf = (scanned: ScannedPackage): Finding[] => {
  const { name, version = '', ecosystem = '' } = scanned.package;
  const groups = groupsById(scanned);
  return osvFindings(scanned.vulnerabilities ?? [], { ecosystem, name }, version).map(
    (finding) => ({
      ...finding,
      severity: finding.severity ?? ratedBy(groups.get(finding.id)),
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
    const scanned = packagesOf(checked(title, Report, body).results);
    bounded(title, vulnerabilitiesOf(scanned));
    return { tools: ['osv-scanner'], findings: scanned.flatMap(findingsOf) };
  },
};
