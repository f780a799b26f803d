import type { ObjectionCode } from '../../shared/domain/approval.ts';
import type { Status } from '../../shared/domain/status.ts';
import type { VersionEvidence } from '../../shared/schemas/evidence.ts';
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

/** The version whose evidence is open on the screen. */
let open: { readonly key: string; readonly evidence: ShownEvidence } | undefined;

/** Notes the evidence that is open on the screen; null once it is not. */
export const noteShown = (id: VersionId, evidence: VersionEvidence | null): void => {
  const status = evidence?.package.status;
  open = evidence && status ? { key: toKey(id), evidence: { ...evidence, status } } : undefined;
};

/** Returns the evidence of a version if it is open on the screen. */
export const findShown = (id: VersionId): ShownEvidence | undefined =>
  open?.key === toKey(id) ? open.evidence : undefined;
