import { type Actor, anonymous } from '../actor.ts';
import { digest } from '../digest.ts';
import type { ScanResult } from './scan-result.ts';
import { ownTool } from './scanned-by-itself.ts';
import type { Severity } from './severity.ts';

export type SeverityCounts = Readonly<Record<Severity, number>>;

/** The last scan of a slot that finished: what it found holds, also where a later one broke. */
export interface FinishedScanOfSlot {
  readonly number: number;
  /** ISO 8601. */
  readonly scan_date: string;
  /** What counts of what it found, whatever was accepted. */
  readonly severity: SeverityCounts;
  /** The same for the same findings, so that a scan without news is known. */
  readonly digest: string;
}

/**
 * The place of what one tool, sent with one token, found in a version. A scan takes the place of the one in its own slot
 * and of no other, so that nobody's upload makes disappear what another one found.
 */
export interface Slot {
  /** Follows from the tools and the token. */
  readonly id: string;
  readonly tools: readonly string[];
  /** That of the token; null where it has none, and for the registry's own scans. */
  readonly label: string | null;
  /** The newest scan, by its number. */
  readonly number: number;
  /** ISO 8601. */
  readonly scan_date: string;
  /** Why the newest scan broke; null where it finished. */
  readonly reason: string | null;
  /** How many broke one after the other, up to as many as anyone waits for; 0 where the newest finished. */
  readonly failures: number;
  /** When a later scan last found the same, ISO 8601; null before. */
  readonly confirmed_at: string | null;
  /** Whether its report says that it is about something else. */
  readonly forced: boolean;
  /** Null where no scan of it finished yet. */
  readonly finished: FinishedScanOfSlot | null;
}

/** Who scans, and with what. */
export interface Scanner {
  readonly tools: readonly string[];
  readonly actor: Actor;
}

/** How a slot is named to people, who name it so to retire it. */
export const formatTools = (tools: readonly string[]): string => tools.join(', ');

/** The slot of a scanner: tokens are known by their labels, which outlast a rotation, or else by their fingerprints. */
export const findSlotId = ({ tools, actor }: Scanner): string => {
  const who = actor.label === null ? ['fingerprint', actor.fingerprint] : ['label', actor.label];
  return digest([tools, who]);
};

/** The slot of the registry's own scanner, by which nobody else sends anything. */
const ownSlotId = findSlotId({ tools: [ownTool], actor: anonymous });

/** Whether what the registry's own scanner found stands in it. Nobody else can connect two ids that others tell apart. */
export const isOwn = ({ id }: Pick<Slot, 'id'>): boolean => id === ownSlotId;

/** The same for the same findings. */
export const digestFindings = (findings: readonly object[]): string => digest(findings);

/** So often a scan may break before what waits for it goes on without it. */
export const enoughFailures = 3;

/** What a slot comes to with a scan more. One that broke does not undo what was found before. */
export const addToSlot = (
  before: Slot | undefined,
  {
    id,
    label,
    number,
    result,
  }: {
    readonly id: string;
    readonly label: string | null;
    readonly number: number;
    readonly result: ScanResult;
  },
): Slot => {
  const isBroken = result.status === 'error';
  return {
    id,
    tools: result.tools_used,
    label,
    number,
    scan_date: result.scan_date,
    reason: isBroken ? (result.reason ?? 'It does not say why.') : null,
    failures: isBroken ? Math.min((before?.failures ?? 0) + 1, enoughFailures) : 0,
    confirmed_at: isBroken ? (before?.confirmed_at ?? null) : null,
    // One that broke leaves what the one before found, and with it what that was about.
    forced: isBroken ? (before?.forced ?? result.forced) : result.forced,
    finished: isBroken
      ? (before?.finished ?? null)
      : {
          number,
          scan_date: result.scan_date,
          severity: result.severity,
          digest: digestFindings(result.vulnerabilities),
        },
  };
};
