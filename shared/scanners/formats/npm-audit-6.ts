import * as z from 'zod';
import { boundedList } from '../../api/schemas/scan-report.ts';
import { readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import { parseRating } from '../../domain/vulnerabilities/severity.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { checkReported, dictionary, parseReport, refuseEmptyAudit } from './checked.ts';
import type { ReportContent } from './report-format.ts';

/** Tool name of npm and pnpm, which query the same database. */
export const npmTool = 'npm audit';

const Advisory = z.object({
  module_name: z.string(),
  severity: z.string(),
  title: z.string().optional(),
  url: z.string().optional(),
  github_advisory_id: z.string().nullish(),
  cves: boundedList(z.string()).nullish(),
  cvss: z.object({ vectorString: z.string().nullish() }).nullish(),
  vulnerable_versions: z.string().optional(),
  findings: boundedList(z.object({ version: z.string().optional() })).nullish(),
});

const Report = z.object({
  advisories: dictionary(Advisory),
  metadata: z.object({
    // Number by severity.
    vulnerabilities: dictionary(z.number()),
    totalDependencies: z.number(),
  }),
});

const readFinding = ([key, advisory]: [string, z.infer<typeof Advisory>]): Finding =>
  toFinding({
    id: advisory.github_advisory_id || `npm-${key}`,
    aliases: advisory.cves ?? [],
    summary: advisory.title,
    severity: parseRating(advisory.severity),
    cvss: [readCvss(advisory.cvss?.vectorString ?? '')],
    ranges: (advisory.vulnerable_versions ?? '').split('||'),
    references: [advisory.url ?? ''],
    components: (advisory.findings ?? []).map(
      ({ version }) => `${advisory.module_name} ${version ?? ''}`,
    ),
    sources: ['GitHub Advisory Database'],
  });

/** Parses a report of npm 6 or pnpm, with advisories by number. */
export const npmAudit6 = (title: string, body: unknown): ReportContent => {
  const { advisories, metadata } = parseReport(title, Report, body);
  if (metadata.totalDependencies === 0) throw refuseEmptyAudit(title);
  const counted = Object.values(metadata.vulnerabilities).reduce((sum, count) => sum + count, 0);
  const found = Object.entries(advisories);
  checkReported(title, counted, found);
  return { tools: [npmTool], findings: found.map(readFinding) };
};
