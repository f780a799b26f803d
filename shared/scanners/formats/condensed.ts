import * as z from 'zod';
import { boundedList, RegistryVulnerability, tool } from '../../api/schemas/scan-report.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import {
  listImageSubjects,
  listPurlSubjects,
  type Subject,
} from '../../domain/vulnerabilities/subject.ts';
import { parseReport } from './checked.ts';
import { readRegistryFinding } from './registry-report.ts';
import type { ReportFormat } from './report-format.ts';

const title = 'a report that the command line condensed (registry_report)';

const CondensedSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('image'), names: boundedList(z.string()) }),
  z.strictObject({ kind: z.literal('purl'), purl: z.string() }),
]);

/** Body that `registry scan upload` sends for a report above the maximum request size. */
const CondensedReport = z.strictObject({
  registry_report: z.literal(1, { error: 'must be 1; use the command line of this registry' }),
  format: z.string(),
  tools: boundedList(tool).refine(({ length }) => length > 0 && length <= limits.tools, {
    error: `must contain 1 to ${limits.tools} tools`,
  }),
  subjects: boundedList(CondensedSubject),
  findings: boundedList(RegistryVulnerability),
  skipped: boundedList(z.strictObject({ name: z.string(), why: z.string() })).default([]),
});

const readSubject = (subject: z.infer<typeof CondensedSubject>): Subject[] => {
  if (subject.kind === 'purl') return listPurlSubjects(subject.purl);
  const [first, ...others] = subject.names;
  return listImageSubjects(first, others);
};

/**
 * Format of reports that the command line condensed. The rules of the original format apply. A report in the registry's
 * own format must not name a known tool, and a Trivy report belongs to Trivy alone.
 * The body does not prove that such a report exists. A forged body is possible, but so is a forged Trivy report. Both
 * replace only an earlier scan of the same token and tool. The rule on known tools protects honest users who write
 * findings by hand.
 */
export const condensed: ReportFormat = {
  title,
  tools: [],
  namesTools: true,
  recognises: ({ registry_report }) => registry_report !== undefined,
  read: (body) => {
    const { format, tools, subjects, findings, skipped } = parseReport(
      title,
      CondensedReport,
      body,
    );
    return {
      tools,
      subjects: subjects.flatMap(readSubject),
      findings: findings.map((given) => readRegistryFinding(given, tools)),
      skipped,
      readFrom: format,
    };
  },
};
