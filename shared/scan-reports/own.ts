import * as z from 'zod';
import { hasControlCharacters } from '../domain/characters.ts';
import { readCvss } from '../domain/scans/cvss.ts';
import { toFinding } from '../domain/scans/finding.ts';
import { limits } from '../domain/scans/limits.ts';
import { severities } from '../domain/scans/severity.ts';
import type { Finding } from '../domain/scans/vulnerability.ts';
import type { JsonSchema } from '../schemas/json-schema.ts';
import { boundedList, identifier, parseReport } from './checked.ts';
import type { ReportFormat } from './report-format.ts';

const title = "the registry's own format";

/** The name of a tool. */
export const tool = z
  .string()
  .max(limits.toolLength)
  .refine((name) => name.trim() !== '' && !hasControlCharacters(name), {
    error: 'must not be blank, nor contain control characters',
  });

const Cvss = z.strictObject({
  vector: z.string().refine((vector) => readCvss(vector) !== null, {
    error: 'must be a CVSS vector of version 2.0, 3.0, 3.1 or 4.0',
  }),
  // What a scan result says of itself: derived from the vector here.
  version: z.string().optional(),
  score: z.number().min(0).max(10).optional(),
});

/** For the document of the API: that a field is there, and how. */
const has = (field: string, schema: JsonSchema = {}): JsonSchema => ({
  properties: { [field]: schema },
  required: [field],
});

/** A vulnerability as our own format tells it; those of scan results are so, too. */
export const OwnVulnerability = z
  .strictObject({
    id: identifier,
    aliases: boundedList(identifier).optional(),
    summary: z.string().optional(),
    severity: z.enum(severities, { error: `must be one of ${severities.join(', ')}` }).optional(),
    cvss: Cvss.nullish(),
    affected_range: z.string().optional(),
    fixed_versions: boundedList(z.string()).optional(),
    references: boundedList(z.string()).optional(),
    components: boundedList(z.string()).optional(),
    fix_state: z.string().nullish(),
    not_affecting: z.strictObject({ by: tool.optional(), reason: z.string() }).nullish(),
    known_exploited: z.boolean().optional(),
    epss: z.number().min(0).max(1).nullish(),
    source: z.string().optional(),
  })
  .refine(({ severity, cvss }) => severity !== undefined || cvss, {
    path: ['severity'],
    error: 'is required where there is no cvss.vector',
  })
  .meta({ allOf: [{ anyOf: [has('severity'), has('cvss', { type: 'object' })] }] });

export const OwnReport = z
  .strictObject({
    tool: tool.optional(),
    tools_used: boundedList(tool)
      .refine((names) => names.length <= limits.tools, {
        error: `must name at most ${limits.tools} tools`,
      })
      .optional(),
    vulnerabilities: boundedList(OwnVulnerability),
  })
  .refine(({ tool: name, tools_used }) => name !== undefined || tools_used?.length, {
    path: ['tool'],
    error: 'is required: name the scanner, or several in tools_used',
  })
  .meta({
    description: "A report in the registry's own format, for what has no other.",
    allOf: [{ anyOf: [has('tool'), has('tools_used', { minItems: 1 })] }],
  });

/** What a vulnerability tells; `tools` found it. */
export const readOwnFinding = (
  given: z.infer<typeof OwnVulnerability>,
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
    const { tool: name, tools_used, vulnerabilities } = parseReport(title, OwnReport, body);
    const tools = [...(name === undefined ? [] : [name]), ...(tools_used ?? [])];
    return { tools, findings: vulnerabilities.map((given) => readOwnFinding(given, tools)) };
  },
};
