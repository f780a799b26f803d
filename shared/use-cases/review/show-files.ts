import { maxFiles, type VersionEvidence } from '../../api/schemas/evidence.ts';
import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import { listFileDigests } from '../../domain/facts/file-digests.ts';
import { type FileRules, locateFile } from '../../domain/packages/file-places.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { choosePinned } from '../../domain/review/choose-pinned.ts';
import type { Status } from '../../domain/review/status.ts';
import { type FileEcosystem, isFileEcosystem } from '../../ecosystems/ecosystem.ts';
import { toFilePath } from '../../ecosystems/maven/coordinates.ts';
import { findRecord } from '../../storage/reviews/facts-items.ts';
import { findReleaseDetails } from '../../storage/reviews/release-details-items.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';

/** A version with its status at a given time. */
interface ShownVersion extends PackageId {
  readonly status: Status;
  readonly pinned?: string | null | undefined;
}

/** Returns the allowed locations of an ecosystem's files. */
export type ReadFileRules = (ecosystem: FileEcosystem) => FileRules;

/** Returns the URL of a file at the repository. Maven's are not in upstream metadata: they follow from the coordinates. */
const toMavenUrl = ({ name, version }: PackageId, file: string, { origin }: FileRules): string => {
  const [group = '', artifact = ''] = name.split(':');
  return `${origin.replace(/\/$/, '')}/${toFilePath({ group, artifact, version }, file)}`;
};

/** Returns the URL from which clients of the gate download a file; null if its location is not allowed. */
const toUrl = (
  id: PackageId,
  { file, url }: ReturnType<typeof listFileDigests>[number],
  readFileRules: ReadFileRules,
): string | null => {
  const { ecosystem } = id;
  if (!isFileEcosystem(ecosystem)) return null;
  const rules = readFileRules(ecosystem);
  const address = ecosystem === 'maven' ? toMavenUrl(id, file, rules) : url;
  return locateFile(address ?? '', rules) ?? null;
};

/**
 * Returns the digests and addresses of the files that an approval pinned or would pin; null if the files are unknown. Reads one item if
 * upstream has changed since the approval, and one for the SBOMs of an image.
 * @param known the newest upstream metadata, already loaded
 */
export const showFiles = async (
  version: ShownVersion,
  { facts }: ReviewState,
  known: CollectedFacts | null,
  readFileRules: ReadFileRules,
): Promise<VersionEvidence['files']> => {
  const digest = choosePinned(version, facts);
  if (digest === null) return null;
  const record = digest === facts?.digest ? known : await findRecord(version, digest);
  if (!record?.manifest) return null;
  const files = listFileDigests(version, record.manifest);
  const details = isFileEcosystem(version.ecosystem)
    ? undefined
    : await findReleaseDetails(version, record.manifest);
  return {
    pinned: version.status === 'approved' && version.pinned === digest,
    total: files.length,
    files: files
      .slice(0, maxFiles)
      .map((file) => ({ ...file, url: toUrl(version, file, readFileRules) })),
    ...(details?.sboms && { sboms: details.sboms }),
  };
};
