import type { Facts } from '../../../domain/facts/facts.ts';
import type { Manifest } from '../../../domain/facts/manifest.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { areReadable, type Statements, toFoundFacts } from '../../origin/upstream-answer.ts';
import { listNpmLicenses, readNpmLicense } from '../manifest/license.ts';

/** Fields of a version in the abbreviated packument, for installation. Source: package-metadata of npm/registry. */
const installFields = [
  'name',
  'version',
  'deprecated',
  'dependencies',
  'acceptDependencies',
  'optionalDependencies',
  'devDependencies',
  'bundleDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bin',
  'directories',
  'dist',
  'engines',
  'cpu',
  'os',
  'libc',
  'funding',
  '_hasShrinkwrap',
  'hasInstallScript',
];

const scriptNames = ['preinstall', 'install', 'postinstall'];

/** True if the object has all fields of the publisher's package.json, so that an absent field means no value. */
export const isWhole = (version: JsonObject): boolean =>
  Object.keys(version).some((field) => !installFields.includes(field) && field !== '_id');

/**
 * Returns the names of the install scripts; undefined if unknown. npm builds a `binding.gyp` by an implicit `install`
 * script.
 */
export const listInstallScripts = (version: JsonObject): readonly string[] | undefined => {
  const named = scriptNames.filter((name) => readTextAt(version, 'scripts', name));
  if (named.length > 0) return named;
  if (version['gypfile'] === true || version['hasInstallScript'] === true) return ['install'];
  return isWhole(version) || version['hasInstallScript'] === false ? [] : undefined;
};

/** True if the version has attestations, false if only signatures; undefined without both, as on some mirrors. */
const hasProvenance = (version: JsonObject): boolean | undefined => {
  if (isObject(readAt(version, 'dist', 'attestations'))) return true;
  return readAt(version, 'dist', 'signatures') === undefined ? undefined : false;
};

/** Returns the deprecation message; undefined if not deprecated. An empty text in `deprecated` ends a deprecation. */
export const readDeprecation = ({ deprecated }: JsonObject): string | undefined => {
  if (typeof deprecated === 'string') return deprecated || undefined;
  return deprecated === true ? '' : undefined;
};

const listLicenses = (manifest: JsonObject): string[] =>
  [manifest['license'], manifest['licenses']]
    .flat()
    .flatMap((one) => (isObject(one) ? [one['type'] ?? one['name'], one['url']] : one))
    .filter((one) => typeof one === 'string');

/**
 * Returns the license that a manifest declares; no `license` if some entries are unreadable or too many.
 * `declaresLicense` is undefined if the manifest may be incomplete or of another version.
 */
const readLicense = (
  manifest: JsonObject,
  isOfVersion: boolean,
): Pick<Statements, 'licenses' | 'license' | 'declaresLicense'> => {
  const licenses = listLicenses(manifest);
  const named = listNpmLicenses(manifest);
  const isReadable = areReadable(licenses) && !named.includes(undefined);
  return {
    licenses,
    license: isReadable ? readNpmLicense(manifest) : undefined,
    declaresLicense: isOfVersion ? named.length > 0 : undefined,
  };
};

/** Returns the repository's URL, from an object or a plain text; undefined for any other value. */
const readRepository = (manifest: JsonObject): string | undefined =>
  readTextAt(manifest, 'repository', 'url') ?? readTextAt(manifest, 'repository');

/** Returns the facts of a version from its object, or from the packument if the object is abbreviated. */
export const readVersion = (
  version: JsonObject,
  around: {
    readonly package: JsonObject;
    readonly publishedAt: unknown;
    readonly newestVersion: unknown;
  },
): Facts => {
  const manifest = isWhole(version) ? version : around.package;
  // The package fields describe the newest version, and an abbreviated packument has no license.
  const isDescribed =
    version['version'] === around.newestVersion && listNpmLicenses(manifest).length > 0;
  return toFoundFacts('npm', {
    publishedAt: around.publishedAt,
    ...readLicense(manifest, isWhole(version) || isDescribed),
    description: manifest['description'],
    homepage: manifest['homepage'],
    repository: readRepository(manifest),
    deprecated: readDeprecation(version),
    installScripts: listInstallScripts(version),
    provenance: hasProvenance(version),
    newestVersion: around.newestVersion,
  });
};

/** Maximum nesting of a version's object. No npm format nests deeper, and deeper objects overflow serializers. */
const deepest = 20;

const isFlat = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth < deepest && Object.values(value).every((inner) => isFlat(inner, depth + 1)));

/** Maximum length of the name of a publisher, in characters. */
const longestPublisher = 200;

const readShort = (value: unknown, ...path: readonly string[]): string | undefined => {
  const text = readTextAt(value, ...path);
  return text !== undefined && text.length <= longestPublisher ? text : undefined;
};

/**
 * Returns the publisher of a version as `_npmUser`, without the e-mail address; an empty object if unknown. pnpm's trust
 * policy reads whether it is a trusted publisher.
 */
const readPublisher = (version: JsonObject): JsonObject => {
  const name = readShort(version, '_npmUser', 'name');
  const id = readShort(version, '_npmUser', 'trustedPublisher', 'id');
  if (name === undefined) return {};
  return { _npmUser: { name, ...(id !== undefined && { trustedPublisher: { id } }) } };
};

/**
 * Returns the version's object in the abbreviated format, with its publisher; null if it has no tarball URL or nests too
 * deep.
 */
export const readNpmManifest = (version: JsonObject): Manifest | null => {
  const address = readTextAt(version, 'dist', 'tarball') ?? '';
  if (!URL.canParse(address) || !isFlat(version)) return null;
  const scripts = listInstallScripts(version);
  const fields: JsonObject = {
    ...version,
    // npm accepts both spellings and writes this one.
    bundleDependencies: version['bundleDependencies'] ?? version['bundledDependencies'],
    ...(scripts && { hasInstallScript: scripts.length > 0 || undefined }),
  };
  return {
    kind: 'npm',
    version: {
      ...Object.fromEntries(
        installFields.flatMap((field) =>
          fields[field] === undefined ? [] : [[field, fields[field]]],
        ),
      ),
      ...readPublisher(version),
    },
  };
};
