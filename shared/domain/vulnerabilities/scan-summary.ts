import { digest } from '../../util/digest.ts';
import type { Acceptance } from './acceptance.ts';
import { malwareId } from './malware-id.ts';
import { type MergedVulnerability, mergeFindings } from './merge-findings.ts';
import { isOwn, type ScanSource } from './scan-source.ts';
import { severities } from './severity.ts';
import type { SeverityCounts } from './severity-counts.ts';
import type { ScanPolicy } from './verdict.ts';
import { judgeCounts, judgePartial, type Verdict } from './verdict.ts';
import type { Vulnerability } from './vulnerability.ts';

/** Findings under risk acceptances with the same expiry date. They count again from then on. */
export interface AcceptedUntil {
  /** ISO 8601. */
  readonly until: string;
  readonly counts: SeverityCounts;
  /** Equal for the same acceptances. */
  readonly digest: string;
}

/**
 * Summary of all scans of a version, from which its scan status follows. The status is not stored: it depends on this
 * summary, the settings and the time.
 */
export interface ScanSummary {
  readonly sources: readonly ScanSource[];
  /** Open vulnerabilities. One that is rated by some sources and unrated by others counts as both. */
  readonly counts: SeverityCounts;
  /** Accepted vulnerabilities by expiry date. */
  readonly accepted: readonly AcceptedUntil[];
}

/** Scan sources of a version with their findings, and its risk acceptances. */
export interface KnownVulnerabilities {
  readonly sources: readonly ScanSource[];
  /** By scan source id. */
  readonly findings: ReadonlyMap<string, readonly Vulnerability[]>;
  readonly acceptances: readonly Acceptance[];
}

/** Merged vulnerability with its risk acceptance, or null. */
export interface MergedScanEntry extends MergedVulnerability {
  readonly acceptance: Acceptance | null;
}

/** Scan status of a version; `missing` if no scan was ever started. */
export type ScanSummaryStatus = Verdict | 'error' | 'missing';

export const noCounts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };

/** Summary of a version without scans. */
export const unscanned: ScanSummary = { sources: [], counts: noCounts, accepted: [] };

export const addCounts = (one: SeverityCounts, other: SeverityCounts): SeverityCounts => {
  const sum = { ...noCounts };
  for (const severity of severities) sum[severity] = one[severity] + other[severity];
  return sum;
};

/** True if a source lists an entry under the ID of a record of malware. */
const isMalware = ({ members }: MergedVulnerability): boolean =>
  members.some(({ ids }) => [...ids].some((id) => malwareId.test(id)));

/**
 * True if a risk acceptance covers a vulnerability: its id is listed by the registry's own scanner or, without its
 * finding, by every source. An alias that only one upload lists is not enough.
 */
const covers = ({ id }: Acceptance, { members }: MergedVulnerability): boolean => {
  const trusted = members.find(({ source }) => source.isTrusted);
  return trusted ? trusted.ids.has(id) : members.every(({ ids }) => ids.has(id));
};

const lastFirst = (one: Acceptance, other: Acceptance): number =>
  one.expires_at < other.expires_at ? 1 : -1;

/** Returns the merged vulnerabilities of a version, each with the covering risk acceptance that expires last. */
export const listEntries = ({
  sources,
  findings,
  acceptances,
}: KnownVulnerabilities): MergedScanEntry[] => {
  const merged = mergeFindings(
    sources.map((source) => ({
      sourceId: source.id,
      isTrusted: isOwn(source),
      vulnerabilities: findings.get(source.id) ?? [],
    })),
  );
  const longest = [...acceptances].sort(lastFirst);
  return merged.map((entry) => ({
    ...entry,
    // The risk of malware is not acceptable, also under another id of its record.
    acceptance: isMalware(entry)
      ? null
      : (longest.find((acceptance) => covers(acceptance, entry)) ?? null),
  }));
};

/** True if the vulnerability counts as unrated: OSV did not rate it and at least one scan source left it unrated. */
const isLeftUnrated = ({ members }: MergedVulnerability): boolean => {
  const rating = members.find(({ source }) => source.isTrusted)?.finding.severity ?? 'unrated';
  return rating === 'unrated' && members.some(({ finding }) => finding.severity === 'unrated');
};

/** Returns the severities as which a vulnerability counts, or none if it does not affect the version. */
export const countEntry = (entry: MergedVulnerability): SeverityCounts => {
  const { severity, not_affecting } = entry.vulnerability;
  if (not_affecting) return noCounts;
  const counts = { ...noCounts, [severity]: 1 };
  return isLeftUnrated(entry) ? { ...counts, unrated: 1 } : counts;
};

const isNothing = (counts: SeverityCounts): boolean =>
  severities.every((severity) => counts[severity] === 0);

/** Counts that are accepted until the same moment, with the names of their acceptances. */
interface Held {
  readonly counts: SeverityCounts;
  readonly names: readonly string[];
}

const hold = (
  held: Held | undefined,
  counts: SeverityCounts,
  { id, number }: Acceptance,
): Held => ({
  counts: addCounts(held?.counts ?? noCounts, counts),
  names: [...(held?.names ?? []), `${id}#${number}`],
});

/** Returns the scan summary of a version. Acceptances that have expired at `now` do not apply. */
export const summarize = (
  sources: readonly ScanSource[],
  entries: readonly MergedScanEntry[],
  now: Date,
): ScanSummary => {
  let counts = noCounts;
  const accepted = new Map<string, Held>();
  for (const entry of entries) {
    const { acceptance } = entry;
    const more = countEntry(entry);
    if (!acceptance || Date.parse(acceptance.expires_at) <= now.getTime()) {
      counts = addCounts(counts, more);
    } else if (!isNothing(more)) {
      const { expires_at } = acceptance;
      accepted.set(expires_at, hold(accepted.get(expires_at), more, acceptance));
    }
  }
  return {
    sources,
    counts,
    accepted: [...accepted]
      .map(([until, { counts: held, names }]) => ({
        until,
        counts: held,
        digest: digest(names.toSorted()),
      }))
      .sort((one, other) => (one.until < other.until ? -1 : 1)),
  };
};

/** Returns the open vulnerabilities at a moment, including those whose acceptance has expired. */
export const countAt = ({ counts, accepted }: ScanSummary, now: Date): SeverityCounts =>
  accepted
    .filter(({ until }) => Date.parse(until) <= now.getTime())
    .map((over) => over.counts)
    .reduce(addCounts, counts);

/** Returns true if every finished scan was partial. */
export const isPartial = (sources: readonly ScanSource[]): boolean =>
  sources.every(({ finished }) => finished === null || finished.partial !== null);

/** Returns the scan status of a version at a moment, by the scan policy. */
export const findStandingStatus = (
  summary: ScanSummary,
  { now, policy }: { readonly now: Date; readonly policy: ScanPolicy },
): ScanSummaryStatus => {
  const { sources } = summary;
  if (sources.some(({ finished }) => finished)) {
    const verdict = judgeCounts(policy, countAt(summary, now));
    return isPartial(sources) ? judgePartial(verdict) : verdict;
  }
  return sources.length > 0 ? 'error' : 'missing';
};

/** Scan evidence for a decision: status and counts of all scans together. */
export interface MergedScanEvidence {
  readonly status: ScanSummaryStatus;
  /** Open vulnerabilities by severity. */
  readonly severity: SeverityCounts;
  /** Number of accepted vulnerabilities, which do not count. */
  readonly accepted: number;
}

/** Returns the scan evidence of a version at a moment. */
export const describeScanSummary = (
  summary: ScanSummary,
  viewpoint: { readonly now: Date; readonly policy: ScanPolicy },
): MergedScanEvidence => ({
  status: findStandingStatus(summary, viewpoint),
  severity: countAt(summary, viewpoint.now),
  accepted: summary.accepted
    .filter(({ until }) => Date.parse(until) > viewpoint.now.getTime())
    .flatMap(({ counts }) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0),
});
