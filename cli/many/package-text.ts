import { isPackageName } from '../../shared/domain/packages/package-name.ts';
import { readPurl } from '../../shared/domain/packages/purl.ts';
import { findNarrowing, namesVersion } from '../../shared/domain/packages/purl-narrowing.ts';
import { readImageReference } from '../../shared/ecosystems/docker/image-reference.ts';
import { type Ecosystem, ecosystems } from '../../shared/ecosystems/ecosystem.ts';
import { UsageError } from '../input/usage-error.ts';

/** A package, or one version of it, as far as it was said which. */
export interface TypedPackage {
  readonly ecosystem: Ecosystem | undefined;
  readonly name: string;
  readonly version: string | undefined;
}

/** `name@version`; a name may begin with that sign. */
const splitVersion = (text: string): readonly [name: string, version: string | undefined] => {
  const at = text.lastIndexOf('@');
  return at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined];
};

/** `image:tag`; a host may have a port. */
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
 * Whether a text with a colon names an image, and no artifact of a group: groups have no slash and mostly a dot, and their
 * artifacts begin with no number.
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
 * Returns the error that nothing says of which ecosystem a package is.
 * @param place the beginning of what is wrong
 */
export const refuseAmbiguous = (text: string, name: string, place = ''): UsageError => {
  const able = listEcosystems(name);
  return new UsageError(
    `${place}${text} can be of several ecosystems: write ${able.map((one) => `${one}:${text}`).join(' or ')}, or add --ecosystem.`,
  );
};

/** The ecosystem that only can have such a name; undefined if several can. */
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

/** @throws {UsageError} for one that means less than the package, or one from elsewhere */
const readPackageUrl = (text: string): TypedPackage | undefined => {
  const purl = readPurl(text);
  if (!purl) return undefined;
  const { ecosystem, name } = purl;
  const narrowing = findNarrowing(text, ecosystem);
  if (narrowing) {
    throw new UsageError(
      `${text} ${narrowing}. The registry decides on whole packages of public registries: leave that out if you mean one.`,
    );
  }
  // A tag says nothing of what its digest names.
  const version = purl.digest ?? purl.version;
  return version === undefined && namesVersion(text) ? undefined : { ecosystem, name, version };
};

const readTyped = (text: string, known: Ecosystem | undefined): TypedPackage | undefined => {
  if (/^pkg:/i.test(text)) return readPackageUrl(text);
  const said = readPrefix(text);
  if (said) return readAs(said.ecosystem, said.rest);
  if (known) return readAs(known, text);
  if (isTaggedImage(text) || text.includes('@sha256:')) return readImage(text);
  const [name, version] = splitVersion(text);
  return { ecosystem: version === undefined ? undefined : findEcosystem(name), name, version };
};

/**
 * Reads what people type for a package or one version of it: `lodash`, `@types/node@22.1.0`, `org.slf4j:slf4j-api@2.0.9`,
 * `nginx:1.27.3`, each also with its ecosystem before it, as in `npm:lodash@4.17.21`, or a package URL. Undefined where it
 * is none of these, and where a package URL names a version that its ecosystem cannot have.
 * @param known the ecosystem, where something else says it
 * @throws {UsageError} for a package URL of something else than a package or version of a public registry
 */
export const readPackageText = (text: string, known?: Ecosystem): TypedPackage | undefined => {
  const typed = readTyped(text, known);
  return typed && typed.name !== '' && typed.version !== '' ? typed : undefined;
};
