import { AskError, catchLastingFault } from '../../asking/ask-error.ts';
import type { MavenFile } from '../../domain/facts/manifest.ts';
import { readTextAt } from '../../domain/json.ts';
import {
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumDigits,
} from '../../domain/maven/checksums.ts';
import { type Coordinates, nameFile, toFilePath } from '../../domain/maven/coordinates.ts';
import { type PomLine, resolveProperties } from '../../manifests/pom.ts';
import type { Origin } from '../origin-http.ts';
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
  const answer = await catchLastingFault(() => ask(request));
  if (!answer || answer instanceof AskError) return undefined;
  const checksum = readChecksum(answer.bytes.toString(), algorithm);
  return checksum ? [algorithm, checksum] : undefined;
};

/** A file with its checksums; undefined if there is none: then it has no file, or nobody can tell what it is. */
const askFile = async (
  origin: Origin,
  coordinates: Coordinates,
  ending: string,
): Promise<MavenFile | undefined> => {
  const name = nameFile(coordinates, ending);
  const path = toFilePath(coordinates, name);
  const told = await Promise.all(checksumAlgorithms.map((one) => askChecksum(origin, path, one)));
  const checksums = told.filter((one) => one !== undefined);
  return checksums.length > 0 ? { name, checksums: Object.fromEntries(checksums) } : undefined;
};

/** The files of a version that every build asks for: its POM, what it is, and Gradle's description of it. */
export const askFiles = async (
  origin: Origin,
  coordinates: Coordinates,
  line: PomLine,
  { text, checksums }: FoundPom,
): Promise<MavenFile[]> => {
  const ending = findEnding(line);
  const endings = ending ? [ending] : [];
  if (text.includes(gradleMarker)) endings.push('.module');
  const files = await Promise.all(endings.map((one) => askFile(origin, coordinates, one)));
  const pom = { name: nameFile(coordinates, '.pom'), checksums };
  return [pom, ...files.filter((file) => file !== undefined)];
};
