import * as z from 'zod';
import { boundedList } from '../../api/schemas/scan-report.ts';
import { type Cvss, readCvss } from '../../domain/vulnerabilities/cvss.ts';
import { toFinding } from '../../domain/vulnerabilities/finding.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import {
  chooseWorstRating,
  parseRating,
  type Rating,
  rateScore,
} from '../../domain/vulnerabilities/severity.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';
import { dictionary } from './checked.ts';
import { listEquivalents } from './equivalents.ts';

const Text = z.object({ text: z.string().nullish() }).nullish();
const Properties = dictionary(z.unknown()).nullish();

export const SarifRule = z.object({
  id: z.string(),
  deprecatedIds: boundedList(z.string()).nullish(),
  shortDescription: Text,
  help: Text,
  helpUri: z.string().nullish(),
  properties: Properties,
});
export type SarifRule = z.infer<typeof SarifRule>;

const Location = z.object({
  physicalLocation: z
    .object({
      artifactLocation: z.object({ uri: z.string().nullish() }).nullish(),
      region: z.object({ startLine: z.number().nullish() }).nullish(),
    })
    .nullish(),
  logicalLocations: boundedList(z.object({ fullyQualifiedName: z.string().nullish() })).nullish(),
});
type Location = z.infer<typeof Location>;

export const SarifResult = z.object({
  ruleId: z.string().nullish(),
  ruleIndex: z.number().nullish(),
  rule: z
    .object({
      id: z.string().nullish(),
      index: z.number().nullish(),
      toolComponent: z.object({ index: z.number().nullish() }).nullish(),
    })
    .nullish(),
  kind: z.string().nullish(),
  baselineState: z.string().nullish(),
  message: Text,
  locations: boundedList(Location).nullish(),
  properties: Properties,
});
export type SarifResult = z.infer<typeof SarifResult>;

/** Rule of a result. Only its id is known if the report does not contain the rule. */
type KnownRule = Pick<SarifRule, 'id'> & Partial<SarifRule>;

/** Rule with its results. */
export interface RuleResults {
  readonly rule: KnownRule;
  readonly results: readonly SarifResult[];
}

interface Rated {
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Returns the `security-severity` of a rule or result, a score from 0.1 to 10 by GitHub's convention. Returns undefined
 * without one.
 */
export const findSecuritySeverity = ({ properties }: Rated): unknown =>
  properties?.['security-severity'] ?? undefined;

/**
 * Returns the rating of a `security-severity`. Some tools write a word. Trivy writes 0 for an unrated vulnerability.
 */
const readSeverity = (value: unknown): Rating | null => {
  const written = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const score = Number(written);
  return score > 0 && score <= 10 ? rateScore(score) : parseRating(written);
};

/** Kinds of results that are no problems. */
const harmlessKinds = ['pass', 'notApplicable', 'informational'];

/** True if a result is a problem that still exists. */
const isProblem = ({ kind, baselineState }: SarifResult): boolean =>
  !harmlessKinds.includes(kind ?? 'fail') && baselineState !== 'absent';

/** True if a rule has tags without `security`. */
const isOfOther = ({ properties }: Rated): boolean => {
  const tags = properties?.['tags'];
  return Array.isArray(tags) && tags.length > 0 && !tags.includes('security');
};

/**
 * Returns the results that are vulnerabilities. An unrated result counts unless the tags of its rule are about
 * something else.
 */
const listVulnerable = ({ rule, results }: RuleResults): SarifResult[] => {
  const isRated = (one: Rated) => findSecuritySeverity(one) !== undefined;
  const ofSecurity = isRated(rule) || !isOfOther(rule);
  return results.filter((result) => isProblem(result) && (ofSecurity || isRated(result)));
};

const maxMessage = 2000;

/** Patterns of package names in messages of Trivy, Grype (two variants) and OSV-Scanner. */
const packagePatterns = [
  /^Package: (?<name>\S+)\nInstalled Version: (?<version>\S*)/,
  / in \S+ package: (?<name>\S+), version (?<version>\S+) was found/,
  / reports (?<name>\S+) at version (?<version>\S+) /,
  /^Package '(?<name>[^']+)@(?<version>[^'@]*)' is vulnerable/,
];

const findPackage = (message: string): string | undefined => {
  for (const pattern of packagePatterns) {
    const groups = pattern.exec(message)?.groups;
    if (groups) return `${groups['name']} ${groups['version']}`;
  }
  return undefined;
};

const describeLocation = ({ physicalLocation, logicalLocations }: Location): string => {
  const name = logicalLocations?.find(({ fullyQualifiedName }) => fullyQualifiedName);
  if (name?.fullyQualifiedName) return name.fullyQualifiedName;
  const uri = physicalLocation?.artifactLocation?.uri ?? '';
  const line = physicalLocation?.region?.startLine;
  return uri && line ? `${uri}:${line}` : uri;
};

const listComponents = (message: string, locations: readonly Location[]): string[] => {
  const found = findPackage(message);
  return found === undefined ? locations.map(describeLocation) : [found];
};

/**
 * Returns the id of the vulnerability. Grype's rules combine a vulnerability and a package; the help text contains the
 * id.
 */
const findId = ({ id, help }: KnownRule): string => {
  const named = /^Vulnerability (\S+)/.exec(help?.text?.slice(0, maxMessage) ?? '')?.[1];
  // Long names usually differ at their end.
  return (named && id.startsWith(named) ? named : id).slice(-limits.idLength);
};

const listCvss = (properties: SarifRule['properties']): (Cvss | null)[] =>
  Object.entries(properties ?? {})
    .filter(([name]) => /^cvss/i.test(name))
    .map(([, vector]) => readCvss(typeof vector === 'string' ? vector : ''));

const readMessage = ({ message }: SarifResult): string => message?.text?.slice(0, maxMessage) ?? '';

/** Returns one finding for the results of a rule, or none if the rule is not about security. */
export const readResults = (ruled: RuleResults, tool: string): Finding[] => {
  const { rule } = ruled;
  const results = listVulnerable(ruled);
  const [first] = results;
  if (first === undefined) return [];
  const id = findId(rule);
  const ratings = [rule, ...results].map(findSecuritySeverity).map(readSeverity);
  return [
    toFinding({
      id,
      aliases: listEquivalents(id, rule.deprecatedIds ?? []),
      summary: rule.shortDescription?.text || readMessage(first),
      severity: chooseWorstRating(ratings),
      cvss: listCvss(rule.properties),
      fixedVersions: results.flatMap((result) =>
        (/\nFixed Version: (.+)/.exec(readMessage(result))?.[1] ?? '').split(','),
      ),
      references: [rule.helpUri ?? ''],
      components: results.flatMap((result) =>
        listComponents(readMessage(result), result.locations ?? []),
      ),
      sources: [tool],
    }),
  ];
};
