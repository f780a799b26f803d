import { isPackageName } from '../../../domain/packages/package-name.ts';
import { type ChecksumAlgorithm, checksumAlgorithms } from '../../../util/checksums.ts';
import { type Coordinates, nameFile, toCoordinates } from '../coordinates.ts';
import { isVersionFile } from '../version-files.ts';

/** A request of Maven: for a file, or for one of its checksums. */
export type MavenRequest = { readonly checksum: ChecksumAlgorithm | undefined } & (
  | { readonly kind: 'metadata'; readonly name: string }
  | { readonly kind: 'file'; readonly coordinates: Coordinates; readonly file: string }
);

const metadataFile = 'maven-metadata.xml';

const splitChecksum = (path: string) => {
  const checksum = checksumAlgorithms.find((one) => path.endsWith(`.${one}`));
  return { checksum, plain: checksum ? path.slice(0, -checksum.length - 1) : path };
};

/** Matches one part of a group. Dots are not allowed, so that each group has exactly one path. */
const groupPart = /^[\w-]+$/;

const readGroup = (parts: readonly string[]): string | undefined =>
  parts.every((part) => groupPart.test(part)) ? parts.join('.') : undefined;

export const isSnapshot = (version: string): boolean => /-SNAPSHOT$/i.test(version);

const readMetadata = (parts: readonly string[]): string | undefined => {
  const artifact = parts.at(-1) ?? '';
  const name = `${readGroup(parts.slice(0, -1)) ?? ''}:${artifact}`;
  // Only a version can end in `-SNAPSHOT`, not an artifact.
  return isPackageName('maven', name) && !isSnapshot(artifact) ? name : undefined;
};

const readFile = (parts: readonly string[], file: string): Coordinates | undefined => {
  const [artifact, version] = parts.slice(-2);
  const coordinates = toCoordinates(readGroup(parts.slice(0, -2)), artifact, version);
  if (!coordinates || isSnapshot(coordinates.version)) return undefined;
  return isVersionFile(coordinates, file) ? coordinates : undefined;
};

/** Parses a decoded path below the gate's base path; undefined if the gate does not serve the path. */
export const readMavenRequest = (path: string): MavenRequest | undefined => {
  const { checksum, plain } = splitChecksum(path);
  const parts = plain.split('/');
  const file = parts.pop() ?? '';
  if (file === metadataFile) {
    const name = readMetadata(parts);
    return name === undefined ? undefined : { kind: 'metadata', name, checksum };
  }
  const coordinates = readFile(parts, file);
  return coordinates && { kind: 'file', coordinates, file, checksum };
};

/** True if a file is the POM of the version. */
export const isPom = (coordinates: Coordinates, file: string): boolean =>
  file === nameFile(coordinates, '.pom');
