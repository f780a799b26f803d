import * as z from 'zod';
import { boundedList } from '../../api/schemas/scan-report.ts';
import { readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { cleanLine, toFinding } from '../../domain/vulnerabilities/finding.ts';
import { parseRating } from '../../domain/vulnerabilities/severity.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { isObject } from '../../util/json.ts';
import {
  checkBounds,
  checkReported,
  dictionary,
  parseReport,
  refuse,
  refuseEmptyAudit,
} from './checked.ts';
import { npmAudit6, npmTool } from './npm-audit-6.ts';
import type { ReportContent, ReportFormat } from './report-format.ts';

const title = 'a report of npm audit (npm audit --json)';

const Advisory = z.object({
  source: z.union([z.number(), z.string()], { error: 'must be a number' }),
  name: z.string(),
  title: z.string().optional(),
  url: z.string().optional(),
  severity: z.string(),
  cvss: z.object({ vectorString: z.string().nullish() }).nullish(),
  range: z.string().optional(),
});
type Advisory = z.infer<typeof Advisory>;

const fixAvailable = z.object({ name: z.string(), version: z.string() }).nullish().catch(null);

/** Cause of an affected package: its own advisories, or the names of vulnerable dependencies. */
const AffectedPackage = z.object({
  via: boundedList(
    z.union([z.string(), Advisory], { error: 'must be an advisory or the name of a package' }),
  ),
  fixAvailable,
});

const Report = z.object({
  auditReportVersion: z.literal(2, { error: 'must be 2; update npm' }),
  vulnerabilities: dictionary(AffectedPackage),
  metadata: z.object({
    vulnerabilities: z.object({ total: z.number() }),
    dependencies: z.object({ total: z.number() }),
  }),
});
type Report = z.infer<typeof Report>;

/** Returns the GHSA id in an advisory's URL, or else npm's number. */
const findId = ({ url, source }: Advisory): string => {
  const id = url?.split('/').at(-1) ?? '';
  return /^GHSA-[0-9a-z-]{1,40}$/i.test(id) ? id : `npm-${source}`;
};

interface Found {
  readonly advisory: Advisory;
  readonly fix: z.infer<typeof fixAvailable>;
}

const readFinding = ({ advisory, fix }: Found): Finding =>
  toFinding({
    id: findId(advisory),
    summary: advisory.title,
    severity: parseRating(advisory.severity),
    cvss: [readCvss(advisory.cvss?.vectorString ?? '')],
    ranges: (advisory.range ?? '').split('||'),
    // The fix may be a new version of the dependent package instead.
    fixedVersions: fix?.name === advisory.name ? [fix.version] : [],
    references: [advisory.url ?? ''],
    components: [advisory.name],
    sources: ['GitHub Advisory Database'],
  });

/**
 * Checks that every dependency that a package is affected via is in the report. Only such a dependency has findings.
 */
const checkLinks = ({ vulnerabilities }: Report): void => {
  const missing = Object.values(vulnerabilities)
    .flatMap(({ via }) => via)
    .find((entry) => typeof entry === 'string' && !Object.hasOwn(vulnerabilities, entry));
  if (typeof missing !== 'string') return;
  const name = cleanLine(missing, 100);
  throw refuse(title, `a package is affected via ${name}, which is not in the report; audit again`);
};

const readReport = (body: unknown): ReportContent => {
  const report = parseReport(title, Report, body);
  const { vulnerabilities, metadata } = report;
  if (metadata.dependencies.total === 0) throw refuseEmptyAudit(title);
  checkLinks(report);
  const affected = Object.values(vulnerabilities);
  const found = affected.flatMap(({ via, fixAvailable: fix }) =>
    via.flatMap((entry) => (typeof entry === 'string' ? [] : { advisory: entry, fix })),
  );
  checkReported(title, Math.max(metadata.vulnerabilities.total, affected.length), found);
  return { tools: [npmTool], findings: checkBounds(title, found).map(readFinding) };
};

/** Returns npm's error message, which takes the place of the report. */
const findFailure = (body: unknown): string | undefined => {
  if (!isObject(body) || !isObject(body['error'])) return undefined;
  const { code, summary } = body['error'];
  const parts = [code, summary, body['message']].filter(
    (part) => typeof part === 'string' && part !== '',
  );
  return parts.join(' ').slice(0, 300) || 'no reason given';
};

export const npmAudit: ReportFormat = {
  title,
  tools: [npmTool, 'npm', 'pnpm', 'pnpm audit'],
  recognises: ({ auditReportVersion, advisories, error }) =>
    auditReportVersion !== undefined || advisories !== undefined || isObject(error),
  read: (body) => {
    const failure = findFailure(body);
    if (failure) throw refuse(title, `npm says that the audit failed: ${failure}`);
    return isObject(body) && 'advisories' in body ? npmAudit6(title, body) : readReport(body);
  },
};
