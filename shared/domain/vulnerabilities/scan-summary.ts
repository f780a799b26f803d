import { digest } from '../../util/digest.ts';
import type { Acceptance } from './acceptance.ts';
import { type United, uniteFindings } from './merge-findings.ts';
import { isOwn, type SeverityCounts, type Slot } from './scan-source.ts';
import { severities } from './severity.ts';
import type { ScanPolicy } from './verdict.ts';
import { judgeCounts, judgePartial, type Verdict } from './verdict.ts';
import type { Vulnerability } from './vulnerability.ts';

/** What was accepted until one moment: it counts again from then on. */
export interface AcceptedUntil {
  /** ISO 8601. */
  readonly until: string;
  readonly counts: SeverityCounts;
  /** The same for the same acceptances. */
  readonly digest: string;
}

/**
 * What all scans of a version say together, as far as its status follows from it. The status itself is nowhere: it
 * follows from this, the settings and the time.
 */
export interface ScanStanding {
  readonly slots: readonly Slot[];
  /** What counts. What one slot has rated and another has not counts under both. */
  readonly counts: SeverityCounts;
  /** What does not count for now. */
  readonly accepted: readonly AcceptedUntil[];
}

/** What is known of a version's vulnerabilities: what each slot found, and what was accepted of it. */
export interface KnownVulnerabilities {
  readonly slots: readonly Slot[];
  /** By the id of the slot. */
  readonly findings: ReadonlyMap<string, readonly Vulnerability[]>;
  readonly acceptances: readonly Acceptance[];
}

/** A vulnerability of a version, and how long it is accepted; null where it is not. */
export interface PictureEntry extends United {
  readonly acceptance: Acceptance | null;
}

/** How scans stand: `missing` where no scan was ever begun. */
export type StandingStatus = Verdict | 'error' | 'missing';

export const noCounts: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };

/** The standing of a version that was never scanned. */
export const unscanned: ScanStanding = { slots: [], counts: noCounts, accepted: [] };

export const addCounts = (one: SeverityCounts, other: SeverityCounts): SeverityCounts => {
  const sum = { ...noCounts };
  for (const severity of severities) sum[severity] = one[severity] + other[severity];
  return sum;
};

/**
 * Whether an acceptance means this vulnerability: all that tell of it name its id, or the registry's own scanner does.
 * What one upload calls the same as an accepted one is not thereby accepted.
 */
const covers = ({ id }: Acceptance, { members }: United): boolean => {
  const judge = members.find(({ slot }) => slot.isTrusted);
  return judge ? judge.ids.has(id) : members.every(({ ids }) => ids.has(id));
};

const lastFirst = (one: Acceptance, other: Acceptance): number =>
  one.expires_at < other.expires_at ? 1 : -1;

/** Every vulnerability of a version once, with the acceptance that holds longest of those that cover it. */
export const listEntries = ({
  slots,
  findings,
  acceptances,
}: KnownVulnerabilities): PictureEntry[] => {
  const united = uniteFindings(
    slots.map((slot) => ({
      slotId: slot.id,
      isTrusted: isOwn(slot),
      vulnerabilities: findings.get(slot.id) ?? [],
    })),
  );
  const longest = [...acceptances].sort(lastFirst);
  return united.map((entry) => ({
    ...entry,
    acceptance: longest.find((acceptance) => covers(acceptance, entry)) ?? null,
  }));
};

/** Whether somebody leaves it unrated whom nobody can gainsay: a rating by one upload does not settle it for others. */
const isLeftUnrated = ({ members }: United): boolean => {
  const rating = members.find(({ slot }) => slot.isTrusted)?.finding.severity ?? 'unrated';
  return rating === 'unrated' && members.some(({ finding }) => finding.severity === 'unrated');
};

/** As what a vulnerability counts: nothing where it does no harm. */
export const countEntry = (entry: United): SeverityCounts => {
  const { severity, not_affecting } = entry.vulnerability;
  if (not_affecting) return noCounts;
  const counts = { ...noCounts, [severity]: 1 };
  return isLeftUnrated(entry) ? { ...counts, unrated: 1 } : counts;
};

const isNothing = (counts: SeverityCounts): boolean =>
  severities.every((severity) => counts[severity] === 0);

/** What counts again from one moment on, and by which acceptances it does not count until then. */
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

/** What follows for the status from all that is known, at a moment and after it. */
export const summarize = (
  slots: readonly Slot[],
  entries: readonly PictureEntry[],
  now: Date,
): ScanStanding => {
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
    slots,
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

/** What counts at a moment: of what was accepted, that whose time is over. */
export const countAt = ({ counts, accepted }: ScanStanding, now: Date): SeverityCounts =>
  accepted
    .filter(({ until }) => Date.parse(until) <= now.getTime())
    .map((over) => over.counts)
    .reduce(addCounts, counts);

/** Returns true if every scan that finished left something out. */
export const isPartial = (slots: readonly Slot[]): boolean =>
  slots.every(({ finished }) => finished === null || finished.partial !== null);

/** How the scans of a version stand at a moment, by the settings of that moment. */
export const findStandingStatus = (
  standing: ScanStanding,
  { now, policy }: { readonly now: Date; readonly policy: ScanPolicy },
): StandingStatus => {
  const { slots } = standing;
  if (slots.some(({ finished }) => finished)) {
    const verdict = judgeCounts(policy, countAt(standing, now));
    return isPartial(slots) ? judgePartial(verdict) : verdict;
  }
  return slots.length > 0 ? 'error' : 'missing';
};

/** What all scans came to together. */
export interface PictureEvidence {
  readonly status: StandingStatus;
  /** What counted. */
  readonly severity: SeverityCounts;
  /** How many vulnerabilities were accepted, and did not count. */
  readonly accepted: number;
}

/** What scans came to at a moment, for those who decide. */
export const describeStanding = (
  standing: ScanStanding,
  viewpoint: { readonly now: Date; readonly policy: ScanPolicy },
): PictureEvidence => ({
  status: findStandingStatus(standing, viewpoint),
  severity: countAt(standing, viewpoint.now),
  accepted: standing.accepted
    .filter(({ until }) => Date.parse(until) > viewpoint.now.getTime())
    .flatMap(({ counts }) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0),
});
