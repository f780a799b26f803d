import { compareOrder } from '../../util/compare-order.ts';
import { groupBy } from '../../util/group-by.ts';
import { chooseCvss } from './cvss.ts';
import { limits } from './scan-limits.ts';
import { chooseSeverity, compareSeverities } from './severity.ts';
import type { Finding, NotAffecting, Vulnerability } from './vulnerability.ts';

/** Returns an id in upper case, for comparison without regard to case. */
export const foldId = (id: string): string => id.toUpperCase();

/** Groups findings that share an id or alias, directly or through other findings. */
const groupFindings = (findings: readonly Finding[]): Finding[][] => {
  const parents = findings.map((_, at) => at);
  const rootOf = (at: number): number => {
    let root = at;
    while (parents[root] !== root) {
      // Path halving keeps long chains of aliases fast.
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
  return [...groupBy(findings.keys(), rootOf).values()].map((members) =>
    members.flatMap((at) => findings[at] ?? []),
  );
};

/** Returns the rank of an id: every database lists CVE ids, most list GitHub's, and few each other's. */
const rankId = (id: string): number => {
  const place = ['CVE-', 'GHSA-'].findIndex((prefix) => foldId(id).startsWith(prefix));
  return place < 0 ? 2 : place;
};

/** Compares ids for sorting, best known first. */
export const compareIds = (one: string, other: string): number =>
  rankId(one) - rankId(other) || compareOrder(one, other);

/**
 * Compares findings for sorting, best-known id first. The remaining order only makes the result independent of the
 * input order.
 */
const compareFindings = (one: Finding, other: Finding): number =>
  compareIds(one.id, other.id) || compareOrder(JSON.stringify(one), JSON.stringify(other));

function* takeTurns(lists: readonly (readonly string[])[]): Generator<string> {
  const longest = lists.reduce((length, list) => Math.max(length, list.length), 0);
  for (let turn = 0; turn < longest; turn += 1) {
    for (const list of lists) {
      const text = list[turn];
      if (text !== undefined) yield text;
    }
  }
}

/**
 * Merges lists to at most `maxCount` items. The first `wholeCount` lists are included first; the others take turns, so
 * that none of them displaces the rest.
 */
const mergeLists = (
  lists: readonly (readonly string[])[],
  { maxCount, wholeCount }: { readonly maxCount: number; readonly wholeCount: number },
): string[] => {
  const all = [...new Set(lists.flat())];
  if (all.length <= maxCount) return all;
  const shared = new Set(lists.slice(0, wholeCount).flat());
  for (const text of takeTurns(lists.slice(wholeCount))) {
    if (shared.size >= maxCount) break;
    shared.add(text);
  }
  return [...shared].slice(0, maxCount);
};

const splitParts = (text: string, separator: string): string[] =>
  text.split(separator).filter((part) => part !== '');

/** Returns the first statement that it does not affect the version, if all findings agree; otherwise null. */
const chooseNotAffecting = (findings: readonly Finding[]): NotAffecting | null =>
  findings.every(({ not_affecting }) => not_affecting)
    ? (findings[0]?.not_affecting ?? null)
    : null;

const chooseEpss = (findings: readonly Finding[]): number | null =>
  findings.reduce<number | null>(
    (highest, { epss }) => (epss === null ? highest : Math.max(epss, highest ?? 0)),
    null,
  );

/** Options of a merge. */
interface MergeTerms {
  /** Id of the result, normalized by `foldId`. */
  readonly key: string;
  readonly isFirstTrusted: boolean;
}

/** Returns the aliases of the result. Ids of findings come before their aliases. */
const chooseAliases = (
  findings: readonly Finding[],
  { key, isFirstTrusted }: MergeTerms,
): string[] => {
  const isOther = (id: string): boolean => id !== key;
  const found = findings.map(({ id }) => foldId(id)).filter(isOther);
  const said = findings.map(({ aliases }) => aliases.map(foldId).filter(isOther));
  return mergeLists([found, ...said], {
    maxCount: limits.aliases,
    wholeCount: isFirstTrusted ? 2 : 1,
  });
};

/** Merges findings of one vulnerability. Earlier findings take precedence. */
export const mergeInOrder = (findings: readonly Finding[], terms: MergeTerms): Vulnerability => {
  const ids = new Map<string, string>();
  for (const id of findings.flatMap((finding) => [finding.id, ...finding.aliases])) {
    if (!ids.has(foldId(id))) ids.set(foldId(id), id);
  }
  const spell = (key: string): string => ids.get(key) ?? key;
  const wholeCount = terms.isFirstTrusted ? 1 : 0;
  const mergeField = (list: (finding: Finding) => readonly string[], maxCount: number): string[] =>
    mergeLists(findings.map(list), { maxCount, wholeCount });
  return {
    id: spell(terms.key),
    aliases: chooseAliases(findings, terms).map(spell).sort(compareOrder),
    summary: findings.find(({ summary }) => summary !== '')?.summary ?? '',
    severity: chooseSeverity(findings.map(({ severity }) => severity)),
    cvss: chooseCvss(findings.map(({ cvss }) => cvss)),
    affected_range: mergeField(
      ({ affected_range }) => splitParts(affected_range, ' || '),
      limits.rangeClauses,
    ).join(' || '),
    fixed_versions: mergeField(({ fixed_versions }) => fixed_versions, limits.fixedVersions),
    fix_state: findings.find(({ fix_state }) => fix_state !== null)?.fix_state ?? null,
    references: mergeField(({ references }) => references, limits.references),
    components: mergeField(({ components }) => components, limits.components).sort(compareOrder),
    not_affecting: chooseNotAffecting(findings),
    known_exploited: findings.some(({ known_exploited }) => known_exploited),
    epss: chooseEpss(findings),
    source: mergeField(({ source }) => splitParts(source, ', '), limits.tools).join(', '),
  };
};

/** Merges a group of findings in one report under its best-known id. */
const mergeGroup = (group: readonly Finding[]): Vulnerability => {
  const findings = [...group].sort(compareFindings);
  return mergeInOrder(findings, { key: foldId(findings[0]?.id ?? ''), isFirstTrusted: false });
};

/**
 * Merges findings that share an id or alias. Sorted worst first, then by id. The result does not depend on the input
 * order, and a second merge changes nothing.
 */
export const mergeVulnerabilities = (findings: readonly Finding[]): Vulnerability[] =>
  groupFindings(findings)
    .map(mergeGroup)
    .sort(
      (one, other) =>
        compareSeverities(one.severity, other.severity) || compareOrder(one.id, other.id),
    );
