import { PackageURL } from 'packageurl-js';
import type { Ecosystem } from './ecosystem.ts';
import { isPackageName } from './package-name.ts';
import { isPackageVersion } from './package-version.ts';

/** What a package URL names: a package, or one version of it. */
export interface PurlPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Undefined where it names none, or nothing that can be a version. */
  readonly version: string | undefined;
  /** Of an image with a tag, what stands beside that as its version: what is pulled, whatever the tag means by then. */
  readonly digest?: string;
}

/** The parts of a package URL, without escapes. */
interface Parts {
  readonly type: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly version: string | undefined;
  readonly qualifiers: URLSearchParams;
}

const maxLength = 2048;

/**
 * As it is written: the library's own normal form has npm's names in small letters, though `JSONStream` and
 * `jsonstream` are two packages, and it throws at the types that it checks.
 */
const splitPurl = (text: string): Parts | undefined => {
  if (text.length > maxLength) return undefined;
  try {
    const [type, namespace, name, version, qualifiers] = PackageURL.parseString(text);
    if (!type || !name) return undefined;
    return {
      type: type.toLowerCase(),
      namespace,
      name,
      version,
      qualifiers: new URLSearchParams(qualifiers ?? ''),
    };
  } catch {
    // It throws at what is no package URL.
    return undefined;
  }
};

/**
 * Returns the qualifiers of a package URL by their names in lower case, as the specification compares them. Of equal names
 * the first counts. A plus sign in a value is no blank.
 */
export const readQualifiers = (purl: string): ReadonlyMap<string, string> => {
  const [, written = ''] = /\?([^#]*)/.exec(purl) ?? [];
  const qualifiers = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(written.replaceAll('+', '%2B'))) {
    const name = key.replaceAll('+', ' ').trim().toLowerCase();
    if (!qualifiers.has(name)) qualifiers.set(name, value);
  }
  return qualifiers;
};

const joinNames = (separator: string, ...names: readonly (string | undefined)[]): string =>
  names.filter(Boolean).join(separator);

const hubHost = /^(?:index\.|registry-1\.|registry\.hub\.|hub\.)?docker\.(?:io|com)(?=\/|$)/;

/** Without the scheme, and with Docker Hub under one of its names. */
const cleanRepository = (url: string | null): string | undefined =>
  url
    ?.replace(/^https?:\/\//, '')
    .replace(/\/+$/, '')
    .replace(hubHost, 'docker.io') || undefined;

const nameOci = ({ name, qualifiers }: Parts): string => {
  const repository = cleanRepository(qualifiers.get('repository_url'));
  // It is to name the whole repository; some leave the name away.
  const isWhole = repository === name || repository?.endsWith(`/${name}`);
  return isWhole ? (repository ?? name) : joinNames('/', repository, name);
};

interface Reading {
  readonly ecosystem: Ecosystem;
  readonly toName: (parts: Parts) => string;
  readonly toVersion: (parts: Parts) => string | undefined;
}

const versionAsWritten = ({ version }: Parts): string | undefined => version;
const tagOrDigest = ({ version, qualifiers }: Parts): string | undefined =>
  qualifiers.get('tag') ?? version;

/** How the types of package URLs write names that the registry knows (package-url/purl-spec, PURL-TYPES). */
const readings: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['pypi', { ecosystem: 'pypi', toName: ({ name }) => name, toVersion: versionAsWritten }],
  [
    'npm',
    {
      ecosystem: 'npm',
      toName: ({ namespace, name }) => joinNames('/', namespace, name),
      toVersion: versionAsWritten,
    },
  ],
  [
    'maven',
    {
      ecosystem: 'maven',
      toName: ({ namespace, name }) => joinNames(':', namespace, name),
      toVersion: versionAsWritten,
    },
  ],
  [
    'docker',
    {
      ecosystem: 'docker',
      toName: ({ namespace, name, qualifiers }) =>
        joinNames('/', cleanRepository(qualifiers.get('repository_url')), namespace, name),
      toVersion: tagOrDigest,
    },
  ],
  ['oci', { ecosystem: 'docker', toName: nameOci, toVersion: tagOrDigest }],
]);

/** The types whose ecosystem the registry knows. */
export const purlTypes: readonly string[] = [...readings.keys()];

/** The type of a package URL, such as `npm` or `golang`; undefined if it is none. */
export const findPurlType = (text: string): string | undefined => splitPurl(text)?.type;

/**
 * The package that a package URL names, such as `pkg:npm/%40types/node@22.0.0`; undefined if it is none, or of an
 * ecosystem that the registry does not know. Of an image the tag comes before the digest.
 */
export const readPurl = (text: string): PurlPackage | undefined => {
  const parts = splitPurl(text);
  const reading = parts && readings.get(parts.type);
  if (!reading) return undefined;
  const { ecosystem } = reading;
  const name = reading.toName(parts);
  if (!isPackageName(ecosystem, name)) return undefined;
  const version = reading.toVersion(parts);
  const isVersion = version !== undefined && isPackageVersion(ecosystem, version);
  const beside = parts.version !== version ? parts.version : undefined;
  return {
    ...{ ecosystem, name, version: isVersion ? version : undefined },
    ...(beside !== undefined && { digest: beside }),
  };
};
