import { digest } from '../../util/digest.ts';
import { type Actor, anonymous } from '../tokens/actor.ts';
import type { ScanResult } from './scan-result.ts';
import { ownTool } from './scanned-ecosystems.ts';
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
  /** What it left out; null where it looked at everything. */
  readonly partial: string | null;
}

/** Who sent a scan, as its slot keeps it. */
export interface Sender {
  /** That of the token; null where it has none, and for the registry's own scans. */
  readonly label: string | null;
  /** Tells senders apart: the same for all tokens of one label, and for one token without a label. Never shown. */
  readonly sender: string;
  /** Whether the token may review, and not only submit. */
  readonly may_review: boolean;
}

/**
 * The place of what one tool, sent with one token, found in a version. A scan takes the place of the one in its own slot
 * and of no other, so that nobody's upload makes disappear what another one found.
 */
export interface Slot extends Sender {
  /** Follows from the tools and the token. */
  readonly id: string;
  readonly tools: readonly string[];
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

/** Tokens are known by their labels, which outlast a rotation, or else by their fingerprints. */
const identify = ({ label, fingerprint }: Actor): readonly (string | null)[] =>
  label === null ? ['fingerprint', fingerprint] : ['label', label];

/** Returns the id of a scanner's slot. */
export const findSlotId = ({ tools, actor }: Scanner): string => digest([tools, identify(actor)]);

/** Returns what a slot keeps of the token that a scan was sent with. */
export const toSender = (actor: Actor, mayReview: boolean): Sender => ({
  label: actor.label,
  sender: digest(identify(actor)),
  may_review: mayReview,
});

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
    sender,
    number,
    result,
  }: {
    readonly id: string;
    readonly sender: Sender;
    readonly number: number;
    readonly result: ScanResult;
  },
): Slot => {
  const isBroken = result.status === 'error';
  return {
    id,
    tools: result.tools_used,
    ...sender,
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
          partial: result.reason,
        },
  };
};
