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
    by: z.string().describe('The tool that says so.'),
    reason: z.string(),
  })
  .describe('That it does no harm here: then it is in no counter, and does not touch the status.');

export const Vulnerability = z
  .strictObject({
    id: z.string(),
    aliases: z.array(z.string()),
    summary: z.string(),
    severity: Severity,
    cvss: Cvss.nullable(),
    affected_range: z
      .string()
      .describe('The versions that have it, as its ecosystem writes ranges.'),
    fixed_versions: z.array(z.string()),
    fix_state: z
      .string()
      .nullable()
      .describe('What becomes of a fix, such as `wont-fix`, in the words of the report.'),
    references: z.array(z.string()),
    components: z.array(z.string()).describe('In what it was found; empty: in the package itself.'),
    not_affecting: NotAffecting.nullable(),
    known_exploited: z.boolean().describe('Whether somebody has seen it exploited.'),
    epss: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('The probability that somebody exploits it within 30 days.'),
    source: z.string().describe('Which tools found it.'),
  })
  .describe(
    'A vulnerability that a scanner found in a package version or in what it brings along.',
  ) satisfies z.ZodType<DomainVulnerability>;
export type Vulnerability = z.infer<typeof Vulnerability>;

export const SeverityCounts = z
  .strictObject({
    critical: z.int(),
    high: z.int(),
    medium: z.int(),
    low: z.int(),
    unrated: z.int().describe('Those that neither a report nor a CVSS vector rates.'),
  })
  .describe(
    'How many vulnerabilities there are of each severity, of those that affect the version.',
  );

/** Findings of one scan, as storage holds them. */
export const StoredVulnerabilities = z.array(Vulnerability);

const scanFields = {
  package: z.string(),
  version: z.string(),
  scan_date: z.iso.datetime().describe('That of the newest.'),
  status: z
    .enum(scanStatuses)
    .describe('`error` where a scanner broke, and nothing else is known.'),
  reason: z
    .string()
    .nullable()
    .describe(
      'Why a scan went wrong, or what it left out: a partial scan never has status `passed`.',
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
    id: z.string().describe('The id that was accepted.'),
    number: z.int().positive().describe('Which of the acceptances of that id.'),
    reason: z.string(),
    by: z.string().nullable(),
    until: z.iso.datetime().describe('From then on it counts again.'),
  })
  .describe('That the vulnerability is lived with: it is in no counter until then.');

export const FoundVulnerability = Vulnerability.extend({
  found_by: z.array(z.string()).describe('Which of `tools` found it.'),
  accepted: AcceptedMark.nullable(),
}).describe(
  'A vulnerability that a scanner found in a package version or in what it brings along.',
);

const ToolResult = z
  .strictObject({
    tool: z.string(),
    label: z
      .string()
      .nullable()
      .describe("That of the token; null where it has none, and of the registry's own scans."),
    number: z
      .int()
      .positive()
      .describe('That of the newest scan: `number` of `GET /security/scans/{name}` reads it.'),
    scan_date: z.iso.datetime(),
    confirmed_at: z.iso.datetime().nullable().describe('When a later scan last found the same.'),
    status: z
      .enum(scanStatuses)
      .describe('`error` where the newest broke; what the one before found holds on.'),
    reason: z.string().nullable().describe('Why the newest broke, or what it left out.'),
    severity: SeverityCounts,
    forced: z.boolean().describe('Whether its report says that it is about something else.'),
  })
  .describe('What one tool found, with one token.');

export const ScanResult = z
  .strictObject({
    ...scanFields,
    vulnerabilities: z.array(FoundVulnerability),
    omitted: z
      .int()
      .describe(
        'How many more there are than one answer holds; `number` reads the scan of each tool.',
      ),
    tools: z.array(ToolResult),
  })
  .describe(
    'What is known of the vulnerabilities of a version: what all tools found that scanned it, each vulnerability once; or what one scan found.',
  ) satisfies z.ZodType<MergedScan>;
export type ScanResult = z.infer<typeof ScanResult>;

export const ScanPage = z
  .strictObject({
    scans: z.array(ScanResult),
    ...pageNumbers,
    limit: z.int().positive().describe('As it was applied: what fitted into the answer.'),
  })
  .describe("One page of a version's scans, newest first.");
export type ScanPage = z.infer<typeof ScanPage>;

const maxReasonLength = 2000;

export const ScanRetirement = z
  .strictObject({ reason: lines(maxReasonLength).describe('Kept in the history.') })
  .describe('Why scans are to count no more.');
export type ScanRetirement = z.infer<typeof ScanRetirement>;

export const RetiredScans = z
  .strictObject({
    ecosystem: Ecosystem,
    package: z.string(),
    version: z.string(),
    tool: z.string(),
    label: z.string().nullable(),
    number: z.int().positive().describe('Of the newest of its scans, which stay readable.'),
    reason: z.string(),
  })
  .describe('Scans that count no more.');
export type RetiredScans = z.infer<typeof RetiredScans>;

/** Report of any scanner. Its content determines its format, and the parser of the format validates it. */
export const ScannerReport = z
  .union(
    [
      z
        .looseObject({})
        .describe(
          'What Trivy, Grype, OSV-Scanner, Snyk, npm audit, pnpm audit or pip-audit writes, as it is; CycloneDX 1.4 to 1.7 as JSON, with vulnerabilities; SARIF 2.1.0 with security-severity; an `OwnReport`; or what `registry scan upload` has read of a report that is too long for a body.',
        ),
      z
        .array(z.unknown())
        .describe('What Snyk writes of several projects, and older releases of pip-audit.'),
    ],
    { error: 'must be the report of a scanner, as JSON' },
  )
  .describe(
    "What a scanner writes. An object with `tool` is taken for an `OwnReport`: the registry's own format, for what has no other.",
  );
export type ScannerReport = z.infer<typeof ScannerReport>;
