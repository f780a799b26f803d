import type { Manifest, MavenFile } from '../../../domain/facts/manifest.ts';
import {
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumDigits,
} from '../../../util/checksums.ts';
import { readTextAt } from '../../../util/json.ts';
import { catchPermanentFault, UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import type { Origin } from '../../origin/origin-http.ts';
import { type Coordinates, nameFile, toFilePath } from '../coordinates.ts';
import { type PomLine, resolveProperties } from '../manifest/pom.ts';
import { isBesideFile, isVersionFile } from '../version-files.ts';
import { askListing } from './directory-listing.ts';
import type { FoundPom } from './poms.ts';

const maxChecksumBytes = 64 * 1024;

/** Packagings whose main file has the packaging as its extension, instead of `.jar`. */
const archives = ['war', 'ear', 'rar', 'aar', 'zip', 'nar', 'hpi', 'jpi', 'kar', 'klib'];

/** Returns the extension of the main file; undefined if the version only has a POM. */
const findEnding = (line: PomLine): string | undefined => {
  const packaging = resolveProperties(line, readTextAt(line[0], 'packaging')) || 'jar';
  if (packaging === 'pom') return undefined;
  return archives.includes(packaging) ? `.${packaging}` : '.jar';
};

/** Marker in a POM that a Gradle module file (`.module`) exists. */
const gradleMarker = 'published-with-gradle-metadata';

/** Returns the checksum from a checksum file, which may also contain a file name; undefined if it has none. */
const readChecksum = (text: string, algorithm: ChecksumAlgorithm): string | undefined =>
  text
    .split(/[\s=*]+/)
    .find((word) => word.length === checksumDigits[algorithm] && /^[0-9a-f]+$/i.test(word))
    ?.toLowerCase();

const askChecksum = async (
  { ask }: Origin,
  path: string,
  algorithm: ChecksumAlgorithm,
): Promise<[ChecksumAlgorithm, string] | undefined> => {
  const request = { path: `${path}.${algorithm}`, accept: '*/*', maxBytes: maxChecksumBytes };
  const answer = await catchPermanentFault(() => ask(request));
  if (!answer || answer instanceof UpstreamError) return undefined;
  const checksum = readChecksum(answer.bytes.toString(), algorithm);
  return checksum ? [algorithm, checksum] : undefined;
};

/** A file to look up, with the checksum algorithms to request. */
interface WantedFile {
  readonly name: string;
  readonly algorithms: readonly ChecksumAlgorithm[];
}

/** Returns a file with its checksums; undefined without a checksum: the file is missing or cannot be verified. */
const askFile = async (
  origin: Origin,
  coordinates: Coordinates,
  { name, algorithms }: WantedFile,
): Promise<MavenFile | undefined> => {
  const path = toFilePath(coordinates, name);
  const found = await Promise.all(algorithms.map((one) => askChecksum(origin, path, one)));
  const checksums = found.filter((one) => one !== undefined);
  return checksums.length > 0 ? { name, checksums: Object.fromEntries(checksums) } : undefined;
};

/** Returns the files that every build may request: the main file, and Gradle's module file if it exists. */
const listMainFiles = (coordinates: Coordinates, line: PomLine, { text }: FoundPom): string[] => {
  const ending = findEnding(line);
  const endings = ending ? [ending] : [];
  if (text.includes(gradleMarker)) endings.push('.module');
  return endings.map((one) => nameFile(coordinates, one));
};

/** Endings of the files that tools request by default. Used if the repository has no file listing for a version. */
const usualEndings = ['-sources.jar', '-javadoc.jar', '-tests.jar'];

/** Limit of files per version, far above real use. Each file costs a request within the deadline. */
const mostFiles = 100;

/** Returns the other files of a version: from the repository's listing, else under the usual names. */
const listOtherFiles = (
  coordinates: Coordinates,
  listed: ReadonlySet<string> | undefined,
): string[] =>
  listed
    ? [...listed].filter((name) => isVersionFile(coordinates, name) && !isBesideFile(name))
    : usualEndings.map((ending) => nameFile(coordinates, ending));

/** Chooses the one checksum for a secondary file. Default: SHA-1, as some repositories have unlisted checksums. */
const chooseAlgorithm = (name: string, listed: ReadonlySet<string> | undefined) =>
  checksumAlgorithms.find((one) => listed?.has(`${name}.${one}`)) ?? 'sha1';

/** The files of a version, and whether files with unusual names are missing. */
type FoundFiles = Pick<Extract<Manifest, { kind: 'maven' }>, 'files' | 'unlisted'>;

/**
 * Returns the files of a version that have a checksum: its POM and the files in the repository's listing. For a mirror
 * without listings, only the main files, sources, Javadoc and tests.
 */
export const askFiles = async (
  origin: Origin,
  coordinates: Coordinates,
  line: PomLine,
  found: FoundPom,
): Promise<FoundFiles> => {
  const listed = await askListing(origin, coordinates);
  const pom = nameFile(coordinates, '.pom');
  const main = listMainFiles(coordinates, line, found);
  const others = listOtherFiles(coordinates, listed).filter(
    (name) => name !== pom && !main.includes(name),
  );
  const wanted = [
    ...main.map((name) => ({ name, algorithms: checksumAlgorithms })),
    ...others.map((name) => ({ name, algorithms: [chooseAlgorithm(name, listed)] })),
  ].slice(0, mostFiles);
  const files = await Promise.all(wanted.map((one) => askFile(origin, coordinates, one)));
  return {
    files: [
      { name: pom, checksums: found.checksums },
      ...files.filter((file) => file !== undefined),
    ],
    ...(listed === undefined && { unlisted: true }),
  };
};
