import { digest } from '../../util/checksums.ts';
import { canonicalizeJson } from '../../util/json.ts';
import type { PackageId } from '../packages/package-id.ts';
import type { Evidence } from '../review/evidence.ts';
import type { RecordType } from '../review/record-type.ts';
import type { Decision, Status } from '../review/status.ts';
import type { Subject, Subjects } from './subjects.ts';

/** Type of the statement, and of its predicate: an approval or a rejection of a package version. */
export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'tag:package-registry,2026:decision/v1';

/** Events that are signed: approvals and rejections by people and rules, recalls, and the ends of recalls. */
export const signedEvents = [
  'package.approved',
  'package.rejected',
  'package.recalled',
  'package.released',
] as const satisfies readonly RecordType[];

export type SignedEvent = (typeof signedEvents)[number];

export const isSignedEvent = (type: RecordType): type is SignedEvent =>
  (signedEvents as readonly RecordType[]).includes(type);

/** Decision on a package version, as the history shows it. */
export interface SignedDecision extends PackageId {
  /** Id of the entry in the history, and of the event. */
  readonly id: string;
  readonly type: SignedEvent;
  /** ISO 8601. */
  readonly at: string;
  readonly from: Status | null;
  readonly to: Decision;
  readonly by: string | null;
  readonly token_label: string | null;
  readonly reason: string | null;
  readonly rule?: string;
  readonly overridden?: readonly string[];
  readonly expires_at?: string | null;
  readonly recall?: string;
  readonly evidence?: Evidence;
  readonly evidence_version?: string;
}

/** What a statement says about its subjects. */
export interface DecisionPredicate {
  readonly decision: Decision;
  readonly from: Status | null;
  readonly package: PackageId;
  readonly decidedAt: string;
  /** When the approval expires; null if never. */
  readonly expiresAt: string | null;
  readonly decidedBy: { readonly name: string | null; readonly tokenLabel: string | null };
  /** Policy rule that decided; null for a person. */
  readonly rule: string | null;
  readonly reason: string | null;
  /** Codes of the overridden blocking issues. */
  readonly overriddenIssues: readonly string[];
  /** Record of malware that the decision follows from or accepts. */
  readonly malwareRecord: string | null;
  /** Evidence version, and SHA-256 of the evidence in the history as canonical JSON. */
  readonly evidence: { readonly version: string | null; readonly sha256: string | null };
  readonly history: { readonly id: string; readonly type: SignedEvent };
  /** Number of files that are not among the subjects. */
  readonly omittedFiles: number;
}

/** Statement about a decision (in-toto Statement v1). */
export interface DecisionStatement {
  readonly _type: typeof statementType;
  readonly subject: readonly Subject[];
  readonly predicateType: typeof predicateType;
  readonly predicate: DecisionPredicate;
}

/** Returns the SHA-256 of evidence, as hexadecimal digits: of its canonical JSON. */
const digestEvidence = (evidence: Evidence): string => digest('sha256', canonicalizeJson(evidence));

/** Returns the statement about a decision on the files of a version. */
export const makeStatement = (
  decision: SignedDecision,
  { subjects, omitted }: Subjects,
): DecisionStatement => {
  const { ecosystem, name, version, evidence } = decision;
  return {
    _type: statementType,
    subject: subjects,
    predicateType,
    predicate: {
      decision: decision.to,
      from: decision.from,
      package: { ecosystem, name, version },
      decidedAt: decision.at,
      expiresAt: decision.expires_at ?? null,
      decidedBy: { name: decision.by, tokenLabel: decision.token_label },
      rule: decision.rule ?? null,
      reason: decision.reason,
      overriddenIssues: decision.overridden ?? [],
      malwareRecord: decision.recall ?? null,
      evidence: {
        version: decision.evidence_version ?? null,
        sha256: evidence ? digestEvidence(evidence) : null,
      },
      history: { id: decision.id, type: decision.type },
      omittedFiles: omitted,
    },
  };
};
