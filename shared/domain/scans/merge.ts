import { chooseCvss } from './cvss.ts';
import { limits } from './limits.ts';
import { chooseSeverity, compareSeverities } from './severity.ts';
import type { Finding, NotAffecting, Vulnerability } from './vulnerability.ts';

/** Ids compare without regard to case. */
export const foldId = (id: string): string => id.toUpperCase();

const compareTexts = (one: string, other: string): number =>
  one === other ? 0 : one < other ? -1 : 1;

/** The findings that an id or alias connects, over any number of steps, as groups. */
const groupFindings = (findings: readonly Finding[]): Finding[][] => {
  const parents = findings.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) {
      // Halving the path on the way keeps long chains of aliases quick.
      parents[root] = parents[parents[root] ?? root] ?? root;
      root = parents[root] ?? root;
    }
    return root;
  };
  const firstWith = new Map<string, number>();
  findings.forEach(({ id, aliases }, at) => {
    for (const key of [id, ...aliases].map(foldId)) {
      const first = firstWith.get(key);
      if (first === undefined) firstWith.set(key, at);
      else parents[rootOf(at)] = rootOf(first);
    }
  });
  return [...Map.groupBy(findings.keys(), rootOf).values()].map((members) =>
    members.flatMap((at) => findings[at] ?? []),
  );
};

/** Every database knows CVE ids, most know GitHub's, few each other's. */
const rankId = (id: string): number => {
  const place = ['CVE-', 'GHSA-'].findIndex((prefix) => foldId(id).startsWith(prefix));
  return place < 0 ? 2 : place;
};

/** The best known id first. The rest of the order only makes the outcome the same whatever came first. */
const compareFindings = (one: Finding, other: Finding): number =>
  rankId(one.id) - rankId(other.id) ||
  compareTexts(one.id, other.id) ||
  compareTexts(JSON.stringify(one), JSON.stringify(other));

const uniteLists = (lists: readonly (readonly string[])[], maxCount: number): string[] =>
  [...new Set(lists.flat())].slice(0, maxCount);

const splitParts = (text: string, separator: string): string[] =>
  text.split(separator).filter((part) => part !== '');

/** It does no harm only where all that tell of it say so. */
const chooseNotAffecting = (findings: readonly Finding[]): NotAffecting | null =>
  findings.every(({ not_affecting }) => not_affecting)
    ? (findings[0]?.not_affecting ?? null)
    : null;

const chooseEpss = (findings: readonly Finding[]): number | null =>
  findings.reduce<number | null>(
    (highest, { epss }) => (epss === null ? highest : Math.max(epss, highest ?? 0)),
    null,
  );

/** Those by which somebody found it come before those that are only said to mean it. */
const chooseAliases = (findings: readonly Finding[], others: readonly string[]): string[] => {
  const first = new Set(findings.map((finding) => foldId(finding.id)));
  const [own, said] = [true, false].map((isFirst) =>
    others.filter((alias) => first.has(foldId(alias)) === isFirst),
  );
  return [...(own ?? []), ...(said ?? []).sort(compareTexts)]
    .slice(0, limits.aliases)
    .sort(compareTexts);
};

/** One vulnerability out of all that is told of it. It keeps the best known of the ids it was found by. */
export const mergeGroup = (group: readonly Finding[]): Vulnerability => {
  const findings = [...group].sort(compareFindings);
  const ids = new Map<string, string>();
  for (const id of findings.flatMap((finding) => [finding.id, ...finding.aliases])) {
    if (!ids.has(foldId(id))) ids.set(foldId(id), id);
  }
  const [id = '', ...others] = ids.values();
  return {
    id,
    aliases: chooseAliases(findings, others),
    summary: findings.find(({ summary }) => summary !== '')?.summary ?? '',
    severity: chooseSeverity(findings.map(({ severity }) => severity)),
    cvss: chooseCvss(findings.map(({ cvss }) => cvss)),
    affected_range: uniteLists(
      findings.map(({ affected_range }) => splitParts(affected_range, ' || ')),
      limits.rangeClauses,
    ).join(' || '),
    fixed_versions: uniteLists(
      findings.map(({ fixed_versions }) => fixed_versions),
      limits.fixedVersions,
    ),
    fix_state: findings.find(({ fix_state }) => fix_state !== null)?.fix_state ?? null,
    references: uniteLists(
      findings.map(({ references }) => references),
      limits.references,
    ),
    components: uniteLists(
      findings.map(({ components }) => components),
      limits.components,
    ).sort(compareTexts),
    not_affecting: chooseNotAffecting(findings),
    known_exploited: findings.some(({ known_exploited }) => known_exploited),
    epss: chooseEpss(findings),
    source: uniteLists(
      findings.map(({ source }) => splitParts(source, ', ')),
      limits.tools,
    ).join(', '),
  };
};

/**
 * One entry for each vulnerability, however many findings tell of it by its id or an alias; the worst first, then by
 * id. The order of the findings does not matter, and merging once more changes nothing.
 */
export const mergeFindings = (findings: readonly Finding[]): Vulnerability[] =>
  groupFindings(findings)
    .map(mergeGroup)
    .sort(
      (one, other) =>
        compareSeverities(one.severity, other.severity) || compareTexts(one.id, other.id),
    );
