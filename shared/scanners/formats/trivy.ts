import * as z from 'zod';
import { boundedList, identifier } from '../../api/schemas/scan-report.ts';
import { type Cvss, chooseCvss, readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import { parseRating } from '../../domain/vulnerabilities/severity.ts';
import { listImageSubjects, type Subject } from '../../domain/vulnerabilities/subject.ts';
import type { Finding, NotAffecting } from '../../domain/vulnerabilities/vulnerability.ts';
import { checkBounds, dictionary, parseReport, refuse } from './checked.ts';
import type { ReportFormat } from './report-format.ts';
import { isHarmlessVexStatus, joinReason } from './vex.ts';

const tool = 'trivy';
const title = 'a report of Trivy (trivy --format json, schema version 2)';

const Ratings = z.object({
  V2Vector: z.string().optional(),
  V3Vector: z.string().optional(),
  V40Vector: z.string().optional(),
});

const TrivyVulnerability = z.object({
  VulnerabilityID: identifier,
  VendorIDs: boundedList(z.string()).nullish(),
  PkgName: z.string(),
  InstalledVersion: z.string().optional(),
  FixedVersion: z.string().optional(),
  Severity: z.string().optional(),
  /** Fix state, such as `will_not_fix`; or `not_affected`. */
  Status: z.string().nullish(),
  SeveritySource: z.string().optional(),
  DataSource: z.object({ ID: z.string().optional(), Name: z.string().optional() }).nullish(),
  Title: z.string().optional(),
  Description: z.string().optional(),
  PrimaryURL: z.string().optional(),
  References: boundedList(z.string()).nullish(),
  CVSS: dictionary(Ratings).nullish(),
});
type TrivyVulnerability = z.infer<typeof TrivyVulnerability>;

/** Entries of `--show-suppressed`: findings that VEX documents or ignore lists removed. Some are no vulnerabilities. */
const Suppressed = z.object({
  Type: z.literal('vulnerability'),
  Status: z.string(),
  Statement: z.string().nullish(),
  Finding: TrivyVulnerability,
});

const Result = z.object({
  Class: z.string().optional(),
  Vulnerabilities: boundedList(TrivyVulnerability).nullish(),
  ExperimentalModifiedFindings: boundedList(Suppressed.nullable().catch(null)).nullish(),
});
type Result = z.infer<typeof Result>;

const Names = boundedList(z.string()).nullish();

const Report = z.object({
  SchemaVersion: z.literal(2, { error: 'must be 2; update Trivy' }),
  ArtifactName: z.string().nullish().catch(null),
  ArtifactType: z.string().nullish().catch(null),
  Metadata: z.object({ RepoTags: Names, RepoDigests: Names }).nullish().catch(null),
  Results: boundedList(Result).nullish(),
});
type Report = z.infer<typeof Report>;

/** Result classes with packages. Secrets, licenses and misconfigurations have other classes. */
const packageClasses = ['os-pkgs', 'lang-pkgs'];

/** True for an alias. An advisory such as DSA-4539-1 covers several vulnerabilities and must not merge them. */
const isAlias = (id: string): boolean => /^(?:CVE|GHSA)-/i.test(id);

/** Returns the CVSS rating of the severity's source, else NVD's, else the worst of all. */
const listCvss = ({ CVSS, SeveritySource }: TrivyVulnerability): Cvss | null => {
  const byVendor = new Map(
    Object.entries(CVSS ?? {}).map(([vendor, { V2Vector, V3Vector, V40Vector }]) => [
      vendor,
      chooseCvss([V2Vector, V3Vector, V40Vector].map((vector) => readCvss(vector ?? ''))),
    ]),
  );
  return (
    byVendor.get(SeveritySource ?? 'nvd') ??
    byVendor.get('nvd') ??
    chooseCvss([...byVendor.values()])
  );
};

const readNotAffecting = (
  status: string | null | undefined,
  statement?: string | null,
): NotAffecting | null =>
  status && isHarmlessVexStatus(status)
    ? { by: tool, reason: joinReason(status, statement) }
    : null;

const readFinding = (found: TrivyVulnerability, notAffecting: NotAffecting | null): Finding =>
  toFinding({
    id: found.VulnerabilityID,
    aliases: (found.VendorIDs ?? []).filter(isAlias),
    summary: found.Title || found.Description,
    severity: parseRating(found.Severity ?? ''),
    cvss: [listCvss(found)],
    fixedVersions: (found.FixedVersion ?? '').split(','),
    fixState: found.Status,
    references: [found.PrimaryURL ?? '', ...(found.References ?? [])],
    components: [`${found.PkgName} ${found.InstalledVersion ?? ''}`],
    notAffecting,
    sources: [found.DataSource?.ID ?? found.DataSource?.Name ?? found.SeveritySource ?? 'trivy'],
  });

/** Returns the findings of a result, including those that VEX documents declare not affected. */
const readResult = (result: Result): Finding[] => {
  const suppressed = (result.ExperimentalModifiedFindings ?? []).flatMap((entry) => {
    const notAffecting = entry && readNotAffecting(entry.Status, entry.Statement);
    return notAffecting ? [readFinding(entry.Finding, notAffecting)] : [];
  });
  const reported = (result.Vulnerabilities ?? []).map((found) =>
    readFinding(found, found.Status === 'not_affected' ? readNotAffecting(found.Status) : null),
  );
  return [...reported, ...suppressed];
};

const listSubjects = ({ ArtifactName, ArtifactType, Metadata }: Report): Subject[] =>
  ArtifactType === 'container_image'
    ? listImageSubjects(ArtifactName, [
        ...(Metadata?.RepoTags ?? []),
        ...(Metadata?.RepoDigests ?? []),
      ])
    : [];

export const trivy: ReportFormat = {
  title,
  tools: [tool],
  recognises: (body) => 'SchemaVersion' in body || 'ArtifactName' in body,
  read: (body) => {
    const report = parseReport(title, Report, body);
    const scanned = (report.Results ?? []).filter(
      ({ Class, Vulnerabilities }) => Vulnerabilities || packageClasses.includes(Class ?? ''),
    );
    if (scanned.length === 0) {
      throw refuse(
        title,
        'Results contains no packages, so nothing was scanned for vulnerabilities; scan a target with packages, with --scanners vuln --list-all-pkgs',
      );
    }
    checkBounds(
      title,
      scanned.flatMap((result) => [
        ...(result.Vulnerabilities ?? []),
        ...(result.ExperimentalModifiedFindings ?? []),
      ]),
    );
    return { tools: [tool], subjects: listSubjects(report), findings: scanned.flatMap(readResult) };
  },
};
