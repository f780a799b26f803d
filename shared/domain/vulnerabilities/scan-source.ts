import { digest } from '../../util/digest.ts';
import { type Actor, anonymous } from '../tokens/actor.ts';
import { malwareId } from './malware-id.ts';
import type { ScanResult } from './scan-result.ts';
import { ownTool } from './scanned-ecosystems.ts';
import type { SeverityCounts } from './severity-counts.ts';
import type { Vulnerability } from './vulnerability.ts';

/** Last finished scan of a scan source. Its findings remain valid if a later scan fails. */
export interface FinishedScanOfSource {
  readonly number: number;
  /** ISO 8601. */
  readonly scan_date: string;
  /** Findings by severity, accepted or not, except those that do not affect the version. */
  readonly severity: SeverityCounts;
  /** Equal for the same findings, to recognise a scan without news. */
  readonly digest: string;
  /** What the scan skipped; null for a complete scan. */
  readonly partial: string | null;
  /** Ids of findings that report malware, at most `mostMalwareIds`. */
  readonly malware: readonly string[];
}

/** Sender of a scan, as its scan source stores it. */
export interface Sender {
  /** Label of the token; null without one, and for the registry's own scans. */
  readonly label: string | null;
  /** Identifies the sender: all tokens of one label, or one token without a label. Internal. */
  readonly sender: string;
  /** True if the token may review as well as submit. */
  readonly may_review: boolean;
}

/**
 * Scan source: a tool and a token, with their latest findings for a version. A scan replaces only the previous scan of
 * its own source, so no upload hides the findings of another.
 */
export interface ScanSource extends Sender {
  /** Derived from the tools and the token. */
  readonly id: string;
  readonly tools: readonly string[];
  /** Number of the newest scan. */
  readonly number: number;
  /** ISO 8601. */
  readonly scan_date: string;
  /** Error of the newest scan; null if it finished. */
  readonly reason: string | null;
  /** Consecutive failed scans, up to `enoughFailures`; 0 if the newest scan finished. */
  readonly failures: number;
  /** When a later scan last had the same findings, ISO 8601; null before. */
  readonly confirmed_at: string | null;
  /** True if the report is about something else, and was uploaded with force. */
  readonly forced: boolean;
  /** Null until a scan finishes. */
  readonly finished: FinishedScanOfSource | null;
}

/** Tools and token of a scan. */
export interface Scanner {
  readonly tools: readonly string[];
  readonly actor: Actor;
}

/** Returns the display name of a scan source, which also identifies it in a request to dismiss it. */
export const formatTools = (tools: readonly string[]): string => tools.join(', ');

/** Returns the identity of a token: its label, which survives a rotation, or else its fingerprint. */
const identify = ({ label, fingerprint }: Actor): readonly (string | null)[] =>
  label === null ? ['fingerprint', fingerprint] : ['label', label];

/** Returns the id of the scan source of a scanner. */
export const findScanSourceId = ({ tools, actor }: Scanner): string =>
  digest([tools, identify(actor)]);

/** Returns the sender of a scan, as its scan source stores it. */
export const toSender = (actor: Actor, mayReview: boolean): Sender => ({
  label: actor.label,
  sender: digest(identify(actor)),
  may_review: mayReview,
});

/** Scan source of the registry's own scanner, which uploads cannot use. */
const ownScanSourceId = findScanSourceId({ tools: [ownTool], actor: anonymous });

/** True for the registry's own scanner. It alone can merge vulnerabilities that other sources list separately. */
export const isOwn = ({ id }: Pick<ScanSource, 'id'>): boolean => id === ownScanSourceId;

/** Returns when a scan source last had a result, ISO 8601; undefined without one. A failed scan leaves the earlier time. */
export const findResultTime = (
  source: Pick<ScanSource, 'confirmed_at' | 'finished'> | undefined,
): string | undefined => source?.confirmed_at ?? source?.finished?.scan_date;

/** Returns a digest that is equal for the same findings. */
export const digestFindings = (findings: readonly object[]): string => digest(findings);

const mostMalwareIds = 3;

/** Returns the ids that report the version, or a component of it, as malware. */
const listMalware = (vulnerabilities: readonly Vulnerability[]): string[] =>
  vulnerabilities
    .filter(({ not_affecting }) => !not_affecting)
    .flatMap(({ id, aliases }) => [id, ...aliases])
    .filter((id) => malwareId.test(id))
    .slice(0, mostMalwareIds);

/** Number of consecutive failures after which a review no longer waits for the scan. */
export const enoughFailures = 3;

/** Returns a scan source updated by a new scan. A failed scan does not remove earlier findings. */
export const addToScanSource = (
  before: ScanSource | undefined,
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
): ScanSource => {
  const isBroken = result.status === 'error';
  return {
    id,
    tools: result.tools_used,
    ...sender,
    number,
    scan_date: result.scan_date,
    reason: isBroken ? (result.reason ?? 'The scanner gave no reason.') : null,
    failures: isBroken ? Math.min((before?.failures ?? 0) + 1, enoughFailures) : 0,
    confirmed_at: isBroken ? (before?.confirmed_at ?? null) : null,
    // A failed scan leaves the earlier findings, and with them their subject.
    forced: isBroken ? (before?.forced ?? result.forced) : result.forced,
    finished: isBroken
      ? (before?.finished ?? null)
      : {
          number,
          scan_date: result.scan_date,
          severity: result.severity,
          digest: digestFindings(result.vulnerabilities),
          partial: result.reason,
          malware: listMalware(result.vulnerabilities),
        },
  };
};
