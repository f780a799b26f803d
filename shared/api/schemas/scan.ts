import * as z from 'zod';
import type { MergedScan } from '../../domain/vulnerabilities/merged-scan.ts';
import {
  type ScanResult as DomainScanResult,
  scanStatuses,
} from '../../domain/vulnerabilities/scan-result.ts';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import type { Vulnerability as DomainVulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import { Ecosystem } from './ecosystem.ts';
import { pageNumbers } from './page.ts';
import { lines } from './text.ts';

export const Severity = z.enum(severities);

const Cvss = z.strictObject({
  version: z.string(),
  vector: z.string(),
  score: z.number().min(0).max(10),
});

export const NotAffecting = z
  .strictObject({
    by: z.string().describe('The tool that reports it.'),
    reason: z.string(),
  })
  .describe(
    'The finding that the vulnerability does not affect this version. It is not counted, and does not change the status.',
  );

export const Vulnerability = z
  .strictObject({
    id: z.string(),
    aliases: z.array(z.string()),
    summary: z.string(),
    severity: Severity,
    cvss: Cvss.nullable(),
    affected_range: z
      .string()
      .describe('The affected versions, in the range syntax of the ecosystem.'),
    fixed_versions: z.array(z.string()),
    fix_state: z
      .string()
      .nullable()
      .describe('State of the fix according to the report, such as `wont-fix`.'),
    references: z.array(z.string()),
    components: z
      .array(z.string())
      .describe('Dependencies with the vulnerability. Empty if the package itself has it.'),
    not_affecting: NotAffecting.nullable(),
    known_exploited: z.boolean().describe('True if it is known to be exploited.'),
    epss: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('EPSS: the probability of an exploit within 30 days.'),
    source: z.string().describe('The tools that found it.'),
  })
  .describe(
    'A vulnerability of a package version or of its dependencies.',
  ) satisfies z.ZodType<DomainVulnerability>;
export type Vulnerability = z.infer<typeof Vulnerability>;

export const SeverityCounts = z
  .strictObject({
    critical: z.int(),
    high: z.int(),
    medium: z.int(),
    low: z.int(),
    unrated: z
      .int()
      .describe(
        'Vulnerabilities of unknown severity: neither a report nor a CVSS vector rates them.',
      ),
  })
  .describe('Number of open vulnerabilities by severity.');

/** Findings of one scan, as storage holds them. */
export const StoredVulnerabilities = z.array(Vulnerability);

const scanFields = {
  ecosystem: Ecosystem,
  package: z.string(),
  version: z.string(),
  scan_date: z.iso.datetime().describe('Date of the newest scan.'),
  status: z
    .enum(scanStatuses)
    .describe(
      'The scan status. `error` means that a scanner failed and there is no earlier result.',
    ),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why a scan failed, or what it omitted. A partial scan never has the status `passed`.',
    ),
  severity: SeverityCounts,
  tools_used: z.array(z.string()),
};

/** Scan with its findings, as storage holds it. */
export const StoredScan = z.strictObject({
  ...scanFields,
  vulnerabilities: StoredVulnerabilities,
  forced: z.boolean(),
}) satisfies z.ZodType<DomainScanResult>;

const AcceptedMark = z
  .strictObject({
    id: z.string().describe('The accepted id.'),
    number: z.int().positive().describe('The number of the acceptance under that id.'),
    reason: z.string(),
    by: z.string().nullable(),
    until: z.iso
      .datetime()
      .describe('When the acceptance expires and the vulnerability counts again.'),
  })
  .describe('The accepted risk. The vulnerability is not counted until it expires.');

export const FoundVulnerability = Vulnerability.extend({
  found_by: z.array(z.string()).describe('The entries of `tools` that found it.'),
  accepted: AcceptedMark.nullable(),
}).describe('A vulnerability of a package version or of its dependencies.');

const ToolResult = z
  .strictObject({
    tool: z.string(),
    label: z
      .string()
      .nullable()
      .describe(
        "The label of the token. Null for a token without a label, and for the registry's own scans.",
      ),
    number: z
      .int()
      .positive()
      .describe('Number of the newest scan, for `number` of `GET /security/scans/{name}`.'),
    scan_date: z.iso.datetime(),
    confirmed_at: z.iso
      .datetime()
      .nullable()
      .describe(
        'When a later scan last confirmed the result: for an approved version, the start of the last complete rescan.',
      ),
    status: z
      .enum(scanStatuses)
      .describe(
        'The scan status. `error` means that the newest scan failed, and the earlier findings still count.',
      ),
    reason: z.string().nullable().describe('Why the newest scan failed, or what it omitted.'),
    severity: SeverityCounts,
    forced: z
      .boolean()
      .describe('True if the report names another subject and was uploaded with `force`.'),
  })
  .describe('The newest scan of one scan source.');

export const ScanResult = z
  .strictObject({
    ...scanFields,
    vulnerabilities: z.array(FoundVulnerability),
    omitted: z
      .int()
      .describe(
        'Number of vulnerabilities beyond the size of one answer. `number` reads the scan of each tool.',
      ),
    tools: z.array(ToolResult),
  })
  .describe(
    'The merged scan of a version, which lists each vulnerability once; or one scan by its number.',
  ) satisfies z.ZodType<MergedScan>;
export type ScanResult = z.infer<typeof ScanResult>;

export const ScanPage = z
  .strictObject({
    scans: z.array(ScanResult),
    ...pageNumbers,
    limit: z.int().positive().describe('The applied limit, reduced to the size of the answer.'),
  })
  .describe('One page of the scans of a version, newest first.');
export type ScanPage = z.infer<typeof ScanPage>;

const maxReasonLength = 2000;

export const ScanDismissal = z
  .strictObject({ reason: lines(maxReasonLength).describe('The reason, which the history keeps.') })
  .describe('A request to dismiss the scans of one source.');
export type ScanDismissal = z.infer<typeof ScanDismissal>;

export const DismissedScans = z
  .strictObject({
    ecosystem: Ecosystem,
    package: z.string(),
    version: z.string(),
    tool: z.string(),
    label: z.string().nullable(),
    number: z
      .int()
      .positive()
      .describe('Number of the newest dismissed scan. Dismissed scans stay readable.'),
    reason: z.string(),
  })
  .describe('Dismissed scans.');
export type DismissedScans = z.infer<typeof DismissedScans>;

/** Report of any scanner. Its content determines its format, and the parser of the format validates it. */
export const ScannerReport = z
  .union(
    [
      z
        .looseObject({})
        .describe(
          'Unchanged output of Trivy, Grype, OSV-Scanner, Snyk, npm audit, pnpm audit or pip-audit; CycloneDX 1.4 to 1.7 as JSON, with vulnerabilities; SARIF 2.1.0 with security-severity; or a `RegistryReport`. `registry scan upload` shortens reports that exceed a request body.',
        ),
      z
        .array(z.unknown())
        .describe('Output of Snyk for several projects, or of older releases of pip-audit.'),
    ],
    { error: 'must be the report of a scanner, as JSON' },
  )
  .describe(
    "A scan report. An object with `tool` is a `RegistryReport`: the registry's own format, for scanners without a supported format.",
  );
export type ScannerReport = z.infer<typeof ScannerReport>;
