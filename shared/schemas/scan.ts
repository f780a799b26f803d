import * as z from 'zod';
import { type ScanResult as DomainScanResult, scanStatuses } from '../domain/scans/scan-result.ts';
import { severities } from '../domain/scans/severity.ts';
import type { Vulnerability as DomainVulnerability } from '../domain/scans/vulnerability.ts';

export const Severity = z.enum(severities);
export type Severity = z.infer<typeof Severity>;

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

/** A scan as it was kept: one from before `reason` and `components` were there has neither. */
export const KeptScanResult = ScanResult.extend({
  reason: ScanResult.shape.reason.default(null),
  vulnerabilities: z.array(
    Vulnerability.extend({ components: Vulnerability.shape.components.default(() => []) }),
  ),
});
