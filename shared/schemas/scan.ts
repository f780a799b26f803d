import * as z from 'zod';
import { type ScanResult as DomainScanResult, scanStatuses } from '../domain/scans/scan-result.ts';
import { severities } from '../domain/scans/severity.ts';
import type { Vulnerability as DomainVulnerability } from '../domain/scans/vulnerability.ts';

const Severity = z.enum(severities);

const Cvss = z.strictObject({
  version: z.string(),
  vector: z.string(),
  score: z.number().min(0).max(10),
});

/** One vulnerability that a scanner found in a package version or in what it brings along. */
export const Vulnerability = z.strictObject({
  id: z.string(),
  aliases: z.array(z.string()),
  summary: z.string(),
  severity: Severity,
  cvss: Cvss.nullable(),
  affected_range: z.string(),
  fixed_versions: z.array(z.string()),
  references: z.array(z.string()),
  components: z.array(z.string()),
  source: z.string(),
}) satisfies z.ZodType<DomainVulnerability>;
export type Vulnerability = z.infer<typeof Vulnerability>;

/** The result of one scan. `severity` counts the vulnerabilities and is always derived from them. */
export const ScanResult = z.strictObject({
  package: z.string(),
  version: z.string(),
  scan_date: z.iso.datetime(),
  status: z.enum(scanStatuses),
  reason: z.string().nullable(),
  vulnerabilities: z.array(Vulnerability),
  severity: z.strictObject({
    critical: z.int(),
    high: z.int(),
    medium: z.int(),
    low: z.int(),
  }),
  tools_used: z.array(z.string()),
}) satisfies z.ZodType<DomainScanResult>;
export type ScanResult = z.infer<typeof ScanResult>;

/** One page of a version's scans, newest first, and how many there are in all. `limit` is what fitted into the answer. */
export const ScanPage = z.strictObject({
  scans: z.array(ScanResult),
  total: z.int().nonnegative(),
  limit: z.int().positive(),
  offset: z.int().nonnegative(),
});
export type ScanPage = z.infer<typeof ScanPage>;

/** The report of Trivy, Grype, OSV-Scanner, npm audit or pip-audit as the tool writes it, or our own format. */
export const ScannerReport = z.union([z.looseObject({}), z.array(z.unknown())], {
  error: 'must be the report of a scanner, as JSON',
});
export type ScannerReport = z.infer<typeof ScannerReport>;
