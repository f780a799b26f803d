import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { listBlockingCodes, type OverridableCode } from '../../shared/domain/review/approval.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { toKey, type VersionId } from '../address/version-id.ts';

/** The evidence that the reviewer saw. A decision is refused if the evidence has changed since. */
export interface ShownEvidence {
  readonly status: Status;
  readonly issues: VersionEvidence['issues'];
  /** Null if the registry did not report it. */
  readonly evidence_version: string | null;
  /** The recall of the version, which an approval accepts. Lists do not have it: the record must be on the screen. */
  readonly recall?: VersionEvidence['recall'];
}

/** Returns the record of malware that an approval must accept; undefined if there is none. */
export const findRecallRecord = ({ status, recall }: ShownEvidence): string | undefined =>
  status === 'approved' ? undefined : recall?.record;

/** Returns the codes of the blocking issues that a reviewer can override. */
export const listBlocking = ({ issues }: ShownEvidence): OverridableCode[] =>
  listBlockingCodes(issues);

/** Returns true if scans report malware, and no recall names its record: the command line accepts that, not the console. */
export const isMalware = (shown: ShownEvidence): boolean =>
  findRecallRecord(shown) === undefined && shown.issues.some(({ code }) => code === 'malware');

/** The evidence of the open version. */
export interface OpenEvidence extends ShownEvidence {
  /** The label of the token that submitted the version; null without one. */
  readonly submitter: string | null;
}

/** Returns the parts of the evidence that a decision needs. */
export const toOpenEvidence = (evidence: VersionEvidence): OpenEvidence => ({
  status: evidence.package.status,
  issues: evidence.issues,
  evidence_version: evidence.evidence_version,
  recall: evidence.recall,
  submitter: evidence.package.submitted_token_label,
});

/** The open version, with its evidence. */
let open: { readonly key: string; readonly evidence: OpenEvidence } | undefined;

/** Sets the evidence on the screen; null when it closes. */
export const setOpenEvidence = (id: VersionId, evidence: VersionEvidence | null): void => {
  open = evidence ? { key: toKey(id), evidence: toOpenEvidence(evidence) } : undefined;
};

/** Returns the evidence of a version if it is on the screen; undefined otherwise. */
export const findOpenEvidence = (id: VersionId): OpenEvidence | undefined =>
  open?.key === toKey(id) ? open.evidence : undefined;
