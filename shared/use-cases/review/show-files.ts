import { maxFiles, type VersionEvidence } from '../../api/schemas/evidence.ts';
import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import { listFileDigests } from '../../domain/facts/file-digests.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { choosePinned } from '../../domain/review/choose-pinned.ts';
import type { Status } from '../../domain/review/status.ts';
import { findRecord } from '../../storage/reviews/facts-items.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';

/** A version with its status at a given time. */
interface ShownVersion extends PackageId {
  readonly status: Status;
  readonly pinned?: string | null | undefined;
}

/**
 * Returns the digests of the files that an approval pinned or would pin; null if the files are unknown. Reads one item if
 * upstream has changed since the approval, otherwise none.
 * @param known the newest upstream metadata, already loaded
 */
export const showFiles = async (
  version: ShownVersion,
  { facts }: ReviewState,
  known: CollectedFacts | null,
): Promise<VersionEvidence['files']> => {
  const digest = choosePinned(version, facts);
  if (digest === null) return null;
  const record = digest === facts?.digest ? known : await findRecord(version, digest);
  if (!record?.manifest) return null;
  const files = listFileDigests(version, record.manifest);
  return {
    pinned: version.status === 'approved' && version.pinned === digest,
    total: files.length,
    files: files.slice(0, maxFiles),
  };
};
