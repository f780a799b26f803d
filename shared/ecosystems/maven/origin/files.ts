import type { MavenFile } from '../../../domain/facts/manifest.ts';
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

/** Packagings that are no file but the POM itself, and those whose file is not called `.jar`. */
const archives = ['war', 'ear', 'rar', 'aar', 'zip', 'nar', 'hpi', 'jpi', 'kar', 'klib'];

/** The ending of the file that a version is; undefined if it is nothing but a POM. */
const findEnding = (line: PomLine): string | undefined => {
  const packaging = resolveProperties(line, readTextAt(line[0], 'packaging')) || 'jar';
  if (packaging === 'pom') return undefined;
  return archives.includes(packaging) ? `.${packaging}` : '.jar';
};

/** Gradle's marker in a POM that its own description stands beside it. */
const gradleMarker = 'published-with-gradle-metadata';

/** Some files hold the checksum alone, others a name beside it. */
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

/** A file that is asked for, with the kinds of checksums to ask for. */
interface WantedFile {
  readonly name: string;
  readonly algorithms: readonly ChecksumAlgorithm[];
}

/** A file with its checksums; undefined if there is none: then it has no file, or nobody can tell what it is. */
const askFile = async (
  origin: Origin,
  coordinates: Coordinates,
  { name, algorithms }: WantedFile,
): Promise<MavenFile | undefined> => {
  const path = toFilePath(coordinates, name);
  const told = await Promise.all(algorithms.map((one) => askChecksum(origin, path, one)));
  const checksums = told.filter((one) => one !== undefined);
  return checksums.length > 0 ? { name, checksums: Object.fromEntries(checksums) } : undefined;
};

/** The files that every build may ask for: what the version is, and Gradle's description of it. */
const listMainFiles = (coordinates: Coordinates, line: PomLine, { text }: FoundPom): string[] => {
  const ending = findEnding(line);
  const endings = ending ? [ending] : [];
  if (text.includes(gradleMarker)) endings.push('.module');
  return endings.map((one) => nameFile(coordinates, one));
};

/** Classifiers that tools ask for by themselves, where a repository has no page that lists the files of a version. */
const usualEndings = ['-sources.jar', '-javadoc.jar', '-tests.jar'];

/** No version has nearly as many; each takes a request, which its time has to hold. */
const mostFiles = 100;

/** The other files of a version: as its repository lists them, else under their usual names. */
const listOtherFiles = (
  coordinates: Coordinates,
  listed: ReadonlySet<string> | undefined,
): string[] =>
  listed
    ? [...listed].filter((name) => isVersionFile(coordinates, name) && !isBesideFile(name))
    : usualEndings.map((ending) => nameFile(coordinates, ending));

/** Of a file beside the main ones, one kind is enough: some repositories keep checksums without listing them. */
const chooseAlgorithm = (name: string, listed: ReadonlySet<string> | undefined) =>
  checksumAlgorithms.find((one) => listed?.has(`${name}.${one}`)) ?? 'sha1';

/**
 * Returns the files of a version that can be told from others by a checksum: its POM, and all that its repository
 * lists. A mirror without such pages shows what the version is, its sources, documentation and tests alone.
 */
export const askFiles = async (
  origin: Origin,
  coordinates: Coordinates,
  line: PomLine,
  found: FoundPom,
): Promise<MavenFile[]> => {
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
  return [{ name: pom, checksums: found.checksums }, ...files.filter((file) => file !== undefined)];
};
