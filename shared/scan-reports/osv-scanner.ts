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

const ScannedPackage = z.object({
  package: z.object({
    name: z.string(),
    version: z.string().optional(),
    ecosystem: z.string().optional(),
  }),
  vulnerabilities: list(OsvRecord).nullish(),
  groups: list(Group).nullish(),
});
type ScannedPackage = z.infer<typeof ScannedPackage>;

const Report = z.object({ results: list(z.object({ packages: list(ScannedPackage) })) });

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

export const osvScanner: ReportFormat = {
  title,
  recognises: ({ results }) => results !== undefined,
  read: (body) => {
    const { results } = checked(title, Report, body);
    const scanned = results.flatMap(({ packages }) => packages);
    bounded(
      title,
      scanned.flatMap(({ vulnerabilities }) => vulnerabilities ?? []),
    );
    return { tools: ['osv-scanner'], findings: scanned.flatMap(findingsOf) };
  },
};
