import type * as z from 'zod';
import { RegistryReport, type RegistryVulnerability } from '../../api/schemas/scan-report.ts';
import { readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { parseReport } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const title = "the registry's own format";

/** Returns the finding of a vulnerability in the registry's own format. `tools` found it. */
export const readRegistryFinding = (
  given: z.infer<typeof RegistryVulnerability>,
  tools: readonly string[],
): Finding =>
  toFinding({
    id: given.id,
    aliases: given.aliases ?? [],
    summary: given.summary,
    severity: given.severity && given.severity !== 'unrated' ? given.severity : null,
    cvss: [readCvss(given.cvss?.vector ?? '')],
    ranges: (given.affected_range ?? '').split('||'),
    fixedVersions: given.fixed_versions ?? [],
    references: given.references ?? [],
    components: given.components ?? [],
    fixState: given.fix_state,
    notAffecting: given.not_affecting
      ? { by: given.not_affecting.by ?? tools.join(', '), reason: given.not_affecting.reason }
      : null,
    knownExploited: given.known_exploited ?? false,
    epss: [given.epss],
    sources: (given.source ?? '').split(','),
  });

export const own: ReportFormat = {
  title,
  tools: [],
  namesTools: true,
  recognises: ({ tool: name, tools_used, vulnerabilities }) =>
    name !== undefined || tools_used !== undefined || vulnerabilities !== undefined,
  read: (body) => {
    const { tool: name, tools_used, vulnerabilities } = parseReport(title, RegistryReport, body);
    const tools = [...(name === undefined ? [] : [name]), ...(tools_used ?? [])];
    return { tools, findings: vulnerabilities.map((given) => readRegistryFinding(given, tools)) };
  },
};
