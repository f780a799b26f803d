import type { Facts } from '../../../domain/facts/facts.ts';
import type { Manifest } from '../../../domain/facts/manifest.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { areReadable, type Statements, tellFound } from '../../origin/upstream-answer.ts';
import { listNpmLicenses, readNpmLicense } from '../manifest/license.ts';

/** What a version's object has in the abbreviated format: what it takes to install it (npm/registry, package-metadata). */
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

/** Whether it is as long as the publisher's package.json, and what it does not say is not so. */
const isWhole = (version: JsonObject): boolean =>
  Object.keys(version).some((field) => !installFields.includes(field) && field !== '_id');

/** What runs where it is installed. A `binding.gyp` is built by a script that nobody wrote. */
const listInstallScripts = (version: JsonObject): readonly string[] | undefined => {
  const named = scriptNames.filter((name) => readTextAt(version, 'scripts', name));
  if (named.length > 0) return named;
  if (version['gypfile'] === true || version['hasInstallScript'] === true) return ['install'];
  return isWhole(version) || version['hasInstallScript'] === false ? [] : undefined;
};

/** Where it is signed, an attestation would stand beside the signatures; mirrors may leave both away. */
const hasProvenance = (version: JsonObject): boolean | undefined => {
  if (isObject(readAt(version, 'dist', 'attestations'))) return true;
  return readAt(version, 'dist', 'signatures') === undefined ? undefined : false;
};

/** An empty text takes a deprecation back. */
const readDeprecation = ({ deprecated }: JsonObject): string | undefined => {
  if (typeof deprecated === 'string') return deprecated || undefined;
  return deprecated === true ? '' : undefined;
};

const listLicenses = (manifest: JsonObject): string[] =>
  [manifest['license'], manifest['licenses']]
    .flat()
    .flatMap((one) => (isObject(one) ? [one['type'] ?? one['name'], one['url']] : one))
    .filter((one) => typeof one === 'string');

/**
 * What a manifest declares of its license: not a part of it, where entries cannot be read or are too many. Whether it
 * declares any is open where the manifest is not known to be the publisher's whole one of this version.
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

/** An address, or an object with one; anything else is none. */
const readRepository = (manifest: JsonObject): string | undefined =>
  readTextAt(manifest, 'repository', 'url') ?? readTextAt(manifest, 'repository');

/** What the origin says of a version: what its object says, or else, where that is short, the packument. */
export const readVersion = (
  version: JsonObject,
  around: {
    readonly package: JsonObject;
    readonly publishedAt: unknown;
    readonly newestVersion: unknown;
  },
): Facts => {
  const manifest = isWhole(version) ? version : around.package;
  // A packument describes its newest version, and a short one has no license at all.
  const isDescribed =
    version['version'] === around.newestVersion && listNpmLicenses(manifest).length > 0;
  return tellFound('npm', {
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

/** No format of npm nests so deep; what does overflows whoever writes it down. */
const deepest = 20;

const isFlat = (value: unknown, depth = 0): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth < deepest && Object.values(value).every((inner) => isFlat(inner, depth + 1)));

/** The version's object as the abbreviated format has it; null if nothing can be installed by it. */
export const readNpmManifest = (version: JsonObject): Manifest | null => {
  const address = readTextAt(version, 'dist', 'tarball') ?? '';
  if (!URL.canParse(address) || !isFlat(version)) return null;
  const scripts = listInstallScripts(version);
  const fields: JsonObject = {
    ...version,
    // As npm itself writes what may be written in two ways.
    bundleDependencies: version['bundleDependencies'] ?? version['bundledDependencies'],
    ...(scripts && { hasInstallScript: scripts.length > 0 || undefined }),
  };
  return {
    kind: 'npm',
    version: Object.fromEntries(
      installFields.flatMap((field) =>
        fields[field] === undefined ? [] : [[field, fields[field]]],
      ),
    ),
  };
};
