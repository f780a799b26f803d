import { digest } from '../../util/checksums.ts';
import { listFileDigests } from '../facts/file-digests.ts';
import type { Manifest } from '../facts/manifest.ts';
import { parseFileHashes } from '../packages/file-hash.ts';
import { formatPurl } from '../packages/format-purl.ts';
import type { PackageId } from '../packages/package-id.ts';

/** File that a statement is about, with its digests in hexadecimal digits by algorithm. */
export interface Subject {
  /** Package URL of the version; with the name of the file, if it has several files. */
  readonly name: string;
  readonly digest: Readonly<Record<string, string>>;
}

/** Subjects of a statement. `omitted` counts files without a digest, and files above the maximum. */
export interface Subjects {
  readonly subjects: readonly Subject[];
  readonly omitted: number;
}

/** Maximum number of subjects, so that an envelope stays far below the limit of an item. The largest real versions have about 500 files. */
const maxSubjects = 1000;

/** Algorithm of the digest of a version without known files: SHA-256 of its package URL. No file has this digest. */
const purlDigest = 'purlSha256';

/** Returns the name of a subject. The index of an image and the only file of an npm version are the version itself. */
const nameSubject = (id: PackageId, { kind }: Manifest, file: string): string => {
  if (kind === 'npm' || (kind === 'docker' && file === 'index')) return formatPurl(id);
  return formatPurl(id, kind === 'docker' ? { platform: file } : { file_name: file });
};

const readDigests = (text: string): Subject['digest'] =>
  Object.fromEntries(parseFileHashes(text).map(({ algorithm, hex }) => [algorithm, hex]));

/** Returns the subject of a version without known files. */
const makeIdentity = (id: PackageId): Subject => {
  const name = formatPurl(id);
  return { name, digest: { [purlDigest]: digest('sha256', name) } };
};

/** Returns a subject for each file of a version with its digests; for a version without known files, its package URL. */
export const makeSubjects = (id: PackageId, manifest: Manifest | null): Subjects => {
  const files = manifest ? listFileDigests(id, manifest) : [];
  const known = files.flatMap(({ file, digest }) => {
    const read = readDigests(digest ?? '');
    return manifest && Object.keys(read).length > 0
      ? [{ name: nameSubject(id, manifest, file), digest: read }]
      : [];
  });
  if (known.length === 0) return { subjects: [makeIdentity(id)], omitted: files.length };
  const subjects = known.slice(0, maxSubjects);
  return { subjects, omitted: files.length - subjects.length };
};
