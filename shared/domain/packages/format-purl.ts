import { purlNames } from '../../ecosystems/rules.ts';
import type { PackageName } from './package-id.ts';
import { canonicalizeName } from './package-name.ts';

/** Encodes a part of a package URL. Colons stay as they are (purl-spec, "Rules for each purl component"). */
const encode = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');

const encodeSegments = (path: string): string => path.split('/').map(encode).join('/');

/** A package, or one version of it. */
interface PurlSubject extends PackageName {
  readonly version?: string | null;
}

/**
 * Returns the package URL of a version, such as `pkg:npm/%40types/node@22.0.0`, or of a package. Qualifiers are sorted by name. A
 * qualifier without a value is omitted.
 */
export const formatPurl = (
  { ecosystem, name, version = null }: PurlSubject,
  qualifiers: Readonly<Record<string, string | undefined>> = {},
): string => {
  const purl = purlNames[ecosystem](canonicalizeName(ecosystem, name));
  const path = [purl.type, purl.namespace, purl.name].filter((part) => part !== undefined);
  const query = Object.entries({ ...qualifiers, repository_url: purl.repository })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${encode(value)}`]))
    .toSorted()
    .join('&');
  const selected = version === null ? '' : `@${encode(version)}`;
  return `pkg:${path.map(encodeSegments).join('/')}${selected}${query && `?${query}`}`;
};
