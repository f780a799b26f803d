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

/** Of a rule that the report does not tell of, its id is all that is known. */
type KnownRule = Pick<SarifRule, 'id'> & Partial<SarifRule>;

/** The results of one rule. */
export interface RuleResults {
  readonly rule: KnownRule;
  readonly results: readonly SarifResult[];
}

interface Rated {
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
}

/** GitHub's convention: a score from 0.1 to 10, of a rule or one result. Undefined where there is none. */
export const findSecuritySeverity = ({ properties }: Rated): unknown =>
  properties?.['security-severity'] ?? undefined;

/** Some write a word. 0 is what Trivy writes where nobody has rated a vulnerability. */
const readSeverity = (value: unknown): Rating | null => {
  const written = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const score = Number(written);
  return score > 0 && score <= 10 ? rateScore(score) : parseRating(written);
};

/** What results are that tell of no problem. */
const harmlessKinds = ['pass', 'notApplicable', 'informational'];

/** Whether it tells of a problem that is still there. */
const isProblem = ({ kind, baselineState }: SarifResult): boolean =>
  !harmlessKinds.includes(kind ?? 'fail') && baselineState !== 'absent';

/** Whether a rule says by its tags what it is about, and that is not security. */
const isOfOther = ({ properties }: Rated): boolean => {
  const tags = properties?.['tags'];
  return Array.isArray(tags) && tags.length > 0 && !tags.includes('security');
};

/** Those that tell of a vulnerability; one that nobody has rated is of a rule that does not say that it is of style. */
const listVulnerable = ({ rule, results }: RuleResults): SarifResult[] => {
  const isRated = (one: Rated) => findSecuritySeverity(one) !== undefined;
  const ofSecurity = isRated(rule) || !isOfOther(rule);
  return results.filter((result) => isProblem(result) && (ofSecurity || isRated(result)));
};

const maxMessage = 2000;

/** How scanners of packages say in which one they found something: Trivy, Grype (two ways), OSV-Scanner. */
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

/** Grype makes a rule of each vulnerability in each package, and says in the help which one it is. */
const findId = ({ id, help }: KnownRule): string => {
  const named = /^Vulnerability (\S+)/.exec(help?.text?.slice(0, maxMessage) ?? '')?.[1];
  // What tells long names apart is their end.
  return (named && id.startsWith(named) ? named : id).slice(-limits.idLength);
};

const listCvss = (properties: SarifRule['properties']): (Cvss | null)[] =>
  Object.entries(properties ?? {})
    .filter(([name]) => /^cvss/i.test(name))
    .map(([, vector]) => readCvss(typeof vector === 'string' ? vector : ''));

const readMessage = ({ message }: SarifResult): string => message?.text?.slice(0, maxMessage) ?? '';

/** What the results of one rule say: one finding, or none where the rule is of something else than security. */
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
