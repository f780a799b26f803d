import { RegistryError } from '../../domain/errors.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { listRecallRecords } from '../../domain/recalls/recall.ts';
import { digest } from '../../util/digest.ts';
import type { Judgement } from './judge-version.ts';

/**
 * Returns the version of the evidence: an opaque text that changes with the findings of scans, accepted vulnerabilities,
 * upstream metadata, the license, the issues and the records of a recall. A scan with the same findings does not change it. The text is computed
 * from what reviewers see: a license ruling or a setting changes it without a write to the package.
 */
export const findEvidenceVersion = ({ head, evidence, issues }: Judgement, now: Date): string => {
  const accepted = head.accepted.filter(({ until }) => Date.parse(until) > now.getTime());
  return digest([
    head.sources.map(({ id, reason, forced, finished }) => [id, reason, forced, finished?.digest]),
    accepted.map((one) => one.digest),
    head.facts?.digest,
    evidence.license,
    issues,
    ...listRecallRecords(head.recall),
  ]);
};

/**
 * Throws if the evidence has changed since the caller read it.
 * @throws {RegistryError} `evidence_changed`
 */
export const checkEvidenceVersion = (
  id: PackageId,
  {
    judgement,
    now,
    expected,
  }: {
    readonly judgement: Judgement;
    readonly now: Date;
    /** Evidence version that the caller saw; omitted to accept any. */
    readonly expected: string | null | undefined;
  },
): void => {
  if ((expected ?? null) === null || expected === findEvidenceVersion(judgement, now)) return;
  throw new RegistryError(
    'evidence_changed',
    `${formatPackage(id)} was not approved: its evidence has changed since it was read. Read the evidence again, and decide by that.`,
  );
};
