import { PackageURL } from 'packageurl-js';
import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import type { PurlParts, PurlRule } from '../../ecosystems/purl-rule.ts';
import { purlRules } from '../../ecosystems/rules.ts';
import { isPackageName } from './package-name.ts';
import { isPackageVersion } from './package-version.ts';

/** Package, or one version of it, that a package URL identifies. */
export interface PurlPackage {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Undefined if there is none or it is invalid. */
  readonly version: string | undefined;
  /** Digest of an image that also has a tag. Clients pull the digest, whatever the tag points to. */
  readonly digest?: string;
}

const maxLength = 2048;

/**
 * Splits a package URL without normalization. The library's normalization changes npm names to lower case, although
 * `JSONStream` and `jsonstream` are different packages. It also throws for types that it validates.
 */
const splitPurl = (text: string): PurlParts | undefined => {
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
    // The parser throws for texts that are no package URLs.
    return undefined;
  }
};

/**
 * Returns the qualifiers of a package URL by lower-case name, as the specification compares them. The first of equal
 * names counts. A plus sign in a value is no blank.
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

/** An ecosystem, and how a type of package URL writes its names. */
interface Reading extends PurlRule {
  readonly ecosystem: Ecosystem;
}

const readings: ReadonlyMap<string, Reading> = new Map(
  ecosystems.flatMap((ecosystem) =>
    Object.entries(purlRules[ecosystem]).map(([type, rule]) => [type, { ecosystem, ...rule }]),
  ),
);

/** Supported package URL types. */
export const purlTypes: readonly string[] = [...readings.keys()];

/** Returns the type of a package URL, such as `npm` or `golang`, or undefined for other texts. */
export const findPurlType = (text: string): string | undefined => splitPurl(text)?.type;

/**
 * Parses a package URL such as `pkg:npm/%40types/node@22.0.0`. Returns undefined for other texts and for unsupported
 * ecosystems. The tag of an image takes precedence over its digest.
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
