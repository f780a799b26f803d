import * as z from 'zod';
import { boundedList, OwnVulnerability, tool } from '../../api/schemas/scan-report.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import {
  listImageSubjects,
  listPurlSubjects,
  type Subject,
} from '../../domain/vulnerabilities/subject.ts';
import { parseReport } from './checked.ts';
import { readOwnFinding } from './registry-report.ts';
import type { ReportFormat } from './report-format.ts';

const title = 'what the command line has read of a report (registry_report)';

const CondensedSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('image'), names: boundedList(z.string()) }),
  z.strictObject({ kind: z.literal('purl'), purl: z.string() }),
]);

/** What `registry scan upload` sends of a report that is longer than a body may be. */
const CondensedReport = z.strictObject({
  registry_report: z.literal(1, { error: 'must be 1; take the command line of this registry' }),
  format: z.string(),
  tools: boundedList(tool).refine(({ length }) => length > 0 && length <= limits.tools, {
    error: `must name from 1 to ${limits.tools} tools`,
  }),
  subjects: boundedList(CondensedSubject),
  findings: boundedList(OwnVulnerability),
  skipped: boundedList(z.strictObject({ name: z.string(), why: z.string() })).default([]),
});

const readSubject = (subject: z.infer<typeof CondensedSubject>): Subject[] => {
  if (subject.kind === 'purl') return listPurlSubjects(subject.purl);
  const [first, ...others] = subject.names;
  return listImageSubjects(first, others);
};

/**
 * What is left of a report once it was read. It goes by the rules of the format that it was read from: what was read
 * from our own names no tool whose reports are known, and what was read from Trivy's is by Trivy alone.
 *
 * It takes no proof that there was such a report. Whoever makes up one of these could as well make up a report of
 * Trivy, which takes as few lines; neither takes the place of anything but what the same token sent before, as by that
 * tool. The rule about known tools is there for findings that somebody honestly wrote down, which here still say so.
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
      findings: findings.map((given) => readOwnFinding(given, tools)),
      skipped,
      readFrom: format,
    };
  },
};
