import { distance } from 'fastest-levenshtein';
import { formatPackage, type ShownPackage } from '../../shared/domain/packages/format-package.ts';
import { isPackageName } from '../../shared/domain/packages/package-name.ts';
import { readPurl } from '../../shared/domain/packages/purl.ts';
import { findNarrowing, namesVersion } from '../../shared/domain/packages/purl-narrowing.ts';
import { readImageReference } from '../../shared/ecosystems/docker/image-reference.ts';
import { type Ecosystem, ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { UsageError } from '../input/usage-error.ts';

/** A package or a version of it, as far as it was typed. */
export interface TypedPackage {
  readonly ecosystem: Ecosystem | undefined;
  readonly name: string;
  readonly version: string | undefined;
}

/** Returns the row of a table with the package version in one cell, as commands take it, in place of three. */
export const presentPackageCell = <Row extends ShownPackage>({
  ecosystem,
  name,
  version,
  ...others
}: Row): object => ({ package: formatPackage({ ecosystem, name, version }), ...others });

/** Splits `name@version`; a name may start with `@`. */
const splitVersion = (text: string): readonly [name: string, version: string | undefined] => {
  const at = text.lastIndexOf('@');
  return at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined];
};

/** Matches `image:tag`; a host may have a port. */
const tagged = /^(?<image>.+):(?<tag>[^:/]+)$/;

const readImage = (text: string): TypedPackage => {
  if (text.includes('@sha256:')) {
    const { name, version } = readImageReference(text);
    return { ecosystem: 'docker', name, version };
  }
  const [image, version] = splitVersion(text);
  const { groups } = version === undefined ? (tagged.exec(image) ?? {}) : {};
  return {
    ecosystem: 'docker',
    name: groups?.['image'] ?? image,
    version: version ?? groups?.['tag'],
  };
};

const readAs = (ecosystem: Ecosystem, text: string): TypedPackage => {
  if (ecosystem === 'docker') return readImage(text);
  const [name, version] = splitVersion(text);
  return { ecosystem, name, version };
};

/**
 * Returns whether text with a colon names an image and no Maven artifact. Group ids have no slash and mostly a dot, and
 * artifact ids do not start with a number.
 */
const isTaggedImage = (text: string): boolean => {
  const { image = '', tag = '' } = tagged.exec(text)?.groups ?? {};
  if (!isPackageName('docker', image)) return false;
  return image.includes('/') || (!image.includes('.') && /^(?:v?\d|latest$)/.test(tag));
};

/** Returns the ecosystems that can have such a name. */
export const listEcosystems = (name: string): readonly Ecosystem[] =>
  ecosystems.filter((ecosystem) => isPackageName(ecosystem, name));

/**
 * Returns the error about a package of an unknown ecosystem.
 * @param place the start of the message
 */
export const refuseAmbiguous = (text: string, name: string, place = ''): UsageError => {
  const able = listEcosystems(name);
  return new UsageError(
    `${place}${text} does not name its ecosystem: write ${able.map((one) => `${one}:${text}`).join(' or ')}, or add --ecosystem.`,
  );
};

/** Returns the ecosystem of a name; undefined if several can have it. */
const findEcosystem = (name: string): Ecosystem | undefined => {
  const able = listEcosystems(name);
  return able.length === 1 ? able[0] : undefined;
};

const prefixed = new RegExp(`^(?<prefix>${ecosystems.join('|')}):(?<rest>.+)$`);
const readPrefix = (text: string) => {
  const { prefix, rest = '' } = prefixed.exec(text)?.groups ?? {};
  const ecosystem = ecosystems.find((one) => one === prefix);
  return ecosystem && { ecosystem, rest };
};

/** What people call an ecosystem elsewhere. */
const otherNames: Readonly<Record<string, Ecosystem>> = {
  pip: 'pypi',
  python: 'pypi',
  node: 'npm',
  mvn: 'maven',
  oci: 'docker',
};

const sortLetters = (text: string): string => [...text].sort().join('');

/** Returns the ecosystem that a mistyped prefix stands for; undefined if it may be the group of a Maven artifact. */
const findMeant = (prefix: string): Ecosystem | undefined =>
  otherNames[prefix] ??
  ecosystems.find((one) => distance(one, prefix) === 1 || sortLetters(one) === sortLetters(prefix));

/** @throws {UsageError} for a prefix that is almost an ecosystem, such as `nmp:` */
const refuseMistyped = (text: string): void => {
  const [, prefix = '', rest = ''] = /^([a-z]+):(.+)$/i.exec(text) ?? [];
  const meant = findMeant(prefix.toLowerCase());
  if (!meant) return;
  throw new UsageError(
    `${prefix} is no ecosystem: write ${meant}:${rest}. There are ${ecosystems.join(', ')}.`,
  );
};

/** @throws {UsageError} for a package URL of a part of a package, or of another source */
const readPackageUrl = (text: string): TypedPackage | undefined => {
  const purl = readPurl(text);
  if (!purl) return undefined;
  const { ecosystem, name } = purl;
  const narrowing = findNarrowing(text, ecosystem);
  if (narrowing) {
    throw new UsageError(
      `${text} ${narrowing}. The registry decides on whole packages of public registries: leave that part out.`,
    );
  }
  // The digest identifies the image; a tag may move.
  const version = purl.digest ?? purl.version;
  return version === undefined && namesVersion(text) ? undefined : { ecosystem, name, version };
};

const readTyped = (text: string, known: Ecosystem | undefined): TypedPackage | undefined => {
  if (/^pkg:/i.test(text)) return readPackageUrl(text);
  const prefix = readPrefix(text);
  if (prefix) return readAs(prefix.ecosystem, prefix.rest);
  if (known) return readAs(known, text);
  if (isTaggedImage(text) || text.includes('@sha256:')) return readImage(text);
  refuseMistyped(text);
  const [name, version] = splitVersion(text);
  return { ecosystem: version === undefined ? undefined : findEcosystem(name), name, version };
};

/**
 * Parses a package or version as people type it: `lodash`, `@types/node@22.1.0`, `org.slf4j:slf4j-api@2.0.9`,
 * `nginx:1.27.3`, `npm:lodash@4.17.21`, or a package URL. Undefined for other text, and for a package URL with a version
 * that its ecosystem cannot have.
 * @param known the ecosystem, if a flag names it
 * @throws {UsageError} for a package URL of a part of a package or of another source, and for a mistyped ecosystem
 */
export const readPackageText = (text: string, known?: Ecosystem): TypedPackage | undefined => {
  // Reports in Markdown have invisible spaces in names, which a copy contains.
  const typed = readTyped(text.replaceAll('\u200B', ''), known);
  return typed && typed.name !== '' && typed.version !== '' ? typed : undefined;
};
