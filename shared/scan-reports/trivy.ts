import * as z from 'zod';
import { type Cvss, chooseCvss, readCvss } from '../domain/scans/cvss.ts';
import { toFinding } from '../domain/scans/finding.ts';
import { parseSeverity } from '../domain/scans/severity.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import {
  boundedList,
  checkBounds,
  dictionary,
  identifier,
  parseReport,
  refuse,
} from './checked.ts';
import type { ReportFormat } from './report-format.ts';

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
  SeveritySource: z.string().optional(),
  DataSource: z.object({ ID: z.string().optional(), Name: z.string().optional() }).nullish(),
  Title: z.string().optional(),
  Description: z.string().optional(),
  PrimaryURL: z.string().optional(),
  References: boundedList(z.string()).nullish(),
  CVSS: dictionary(Ratings).nullish(),
});
type TrivyVulnerability = z.infer<typeof TrivyVulnerability>;

const Result = z.object({
  Class: z.string().optional(),
  Vulnerabilities: boundedList(TrivyVulnerability).nullish(),
});

const Report = z.object({
  SchemaVersion: z.literal(2, { error: 'must be 2; update Trivy' }),
  Results: boundedList(Result).nullish(),
});

/** Secrets, licenses and misconfigurations are of other classes. */
const packageClasses = ['os-pkgs', 'lang-pkgs'];

/** An advisory such as DSA-4539-1 covers several vulnerabilities: it must not make them one. */
const isAlias = (id: string): boolean => /^(?:CVE|GHSA)-/i.test(id);

/** The rating by whoever gave the severity, else by NVD, else by anybody. */
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

const readFinding = (found: TrivyVulnerability): Finding =>
  toFinding({
    id: found.VulnerabilityID,
    aliases: (found.VendorIDs ?? []).filter(isAlias),
    summary: found.Title || found.Description,
    severity: parseSeverity(found.Severity ?? ''),
    cvss: [listCvss(found)],
    fixedVersions: (found.FixedVersion ?? '').split(','),
    references: [found.PrimaryURL ?? '', ...(found.References ?? [])],
    components: [`${found.PkgName} ${found.InstalledVersion ?? ''}`],
    sources: [found.DataSource?.ID ?? found.DataSource?.Name ?? found.SeveritySource ?? 'trivy'],
  });

export const trivy: ReportFormat = {
  title,
  recognises: (body) => 'SchemaVersion' in body || 'ArtifactName' in body,
  read: (body) => {
    const { Results } = parseReport(title, Report, body);
    const scanned = (Results ?? []).filter(
      ({ Class, Vulnerabilities }) => Vulnerabilities || packageClasses.includes(Class ?? ''),
    );
    if (scanned.length === 0) {
      throw refuse(
        title,
        'Results names no packages, so nothing was scanned for vulnerabilities; scan something with packages, with --scanners vuln --list-all-pkgs',
      );
    }
    const found = scanned.flatMap(({ Vulnerabilities }) => Vulnerabilities ?? []);
    return { tools: ['trivy'], findings: checkBounds(title, found).map(readFinding) };
  },
};
