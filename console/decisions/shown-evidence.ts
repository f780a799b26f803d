import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { ObjectionCode } from '../../shared/domain/review/approval.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { toKey, type VersionId } from '../address/address.ts';

/** What a reviewer was shown of a version, and decides by: what changed since then is not decided on unseen. */
export interface ShownEvidence {
  readonly status: Status;
  readonly objections: VersionEvidence['objections'];
  /** Null where the registry did not say it. */
  readonly evidence_version: string | null;
}

/** Returns the codes of the blocking issues that were shown. */
export const listBlocking = ({ objections }: ShownEvidence): ObjectionCode[] =>
  objections.filter(({ blocks }) => blocks).map(({ code }) => code);

/** The evidence of one version, as the screen shows it. */
export interface OpenEvidence extends ShownEvidence {
  /** The label of the token that submitted the version; null without one. */
  readonly submitter: string | null;
}

/** Returns what a decision needs of the evidence that the screen shows. */
export const toOpenEvidence = (evidence: VersionEvidence): OpenEvidence => ({
  status: evidence.package.status,
  objections: evidence.objections,
  evidence_version: evidence.evidence_version,
  submitter: evidence.package.submitted_token_label,
});

/** The version whose evidence is open on the screen. */
let open: { readonly key: string; readonly evidence: OpenEvidence } | undefined;

/** Notes the evidence that is open on the screen; null once it is not. */
export const setOpenEvidence = (id: VersionId, evidence: VersionEvidence | null): void => {
  open = evidence ? { key: toKey(id), evidence: toOpenEvidence(evidence) } : undefined;
};

/** Returns the evidence of a version if it is open on the screen. */
export const findOpenEvidence = (id: VersionId): OpenEvidence | undefined =>
  open?.key === toKey(id) ? open.evidence : undefined;
