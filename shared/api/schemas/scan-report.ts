import * as z from 'zod';
import { readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import { severities } from '../../domain/vulnerabilities/severity.ts';
import { hasControlCharacters } from '../../util/characters.ts';
import { holdTo, type JsonSchema } from './json-schema.ts';

export const tooManyEntries = `must hold at most ${limits.findings} entries`;

/** Returns the message for a value of a wrong type, or for a missing one. */
export const expecting =
  (what: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? 'is required' : `must be ${what}`;

/** Returns the schema of a list. Its length is checked before its entries, so that a huge list costs little time. */
export const boundedList = <S extends z.ZodType>(entry: S) =>
  z
    .custom<unknown[]>((value) => Array.isArray(value), { error: expecting('a list') })
    .refine((value) => value.length <= limits.findings, { error: tooManyEntries, abort: true })
    .pipe(z.array(entry))
    .meta({ maxItems: limits.findings });

/** Identifier: short, not blank, and without control characters. */
export const identifier = z
  .string()
  .max(limits.idLength, { error: `must be at most ${limits.idLength} characters` })
  .refine((value) => value.trim() !== '' && !hasControlCharacters(value), {
    error: 'must not be blank, nor contain control characters',
  });

/** Name of a scanner. */
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
  // Scan results have these two fields. They are ignored here, since both derive from the vector.
  version: z.string().optional(),
  score: z.number().min(0).max(10).optional(),
});

/** Returns a JSON Schema that requires a field, for the OpenAPI document. */
const has = (field: string, schema: JsonSchema = {}): JsonSchema => ({
  properties: { [field]: schema },
  required: [field],
});

/** Vulnerability in the registry's own report format. Vulnerabilities of scan results are also valid. */
export const RegistryVulnerability = z
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
  .meta(holdTo({ anyOf: [has('severity'), has('cvss', { type: 'object' })] }));

export const RegistryReport = z
  .strictObject({
    tool: tool.optional(),
    tools_used: boundedList(tool)
      .refine((names) => names.length <= limits.tools, {
        error: `must name at most ${limits.tools} tools`,
      })
      .optional(),
    vulnerabilities: boundedList(RegistryVulnerability),
  })
  .refine(({ tool: name, tools_used }) => name !== undefined || tools_used?.length, {
    path: ['tool'],
    error: 'is required: name the scanner, or several in tools_used',
  })
  .meta({
    description: "A report in the registry's own format, for scanners without a supported format.",
    ...holdTo({ anyOf: [has('tool'), has('tools_used', { minItems: 1 })] }),
  });
