import { parseFileHash } from '../../domain/packages/file-hash.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import {
  canonicalizeName,
  explainPackageName,
  isPackageName,
} from '../../domain/packages/package-name.ts';
import { explainPackageVersion, isPackageVersion } from '../../domain/packages/package-version.ts';
import { cleanLine } from '../../domain/vulnerabilities/finding.ts';
import type { DeclaredSource, Dependency, Unpinned } from './dependency-file.ts';
import type { Contents } from './format-reader.ts';

/** An entry of a file before validation, with names not yet canonical. */
export type Found = Dependency | Unpinned;

const longestText = 300;
const longestRead = 4096;

/** Removes passwords and tokens before the host of URLs, because they are secret. */
const hideCredentials = (text: string): string =>
  text.replace(/(?<=https?:\/\/)[^/@\s]*@/g, '').replace(/(?<=:\/\/)([^/@\s:]*):[^/@\s]*@/g, '$1@');

/** Returns a text from a file for display: on one line, without credentials, at most 300 characters long. */
export const cleanText = (text: string): string =>
  cleanLine(hideCredentials(text.slice(0, longestRead)), longestText);

const cleanUnpinned = ({ text, reason, detail, line }: Unpinned): Unpinned => ({
  text: cleanText(text),
  reason,
  detail: detail === undefined ? undefined : cleanText(detail),
  line,
});

/** Describes the error in a name or a version; undefined if both are valid. */
const findFault = ({ ecosystem, name, version }: Dependency): string | undefined => {
  if (!isPackageName(ecosystem, name)) return `the name must be ${explainPackageName(ecosystem)}`;
  if (!isPackageVersion(ecosystem, version)) {
    return `the version must be ${explainPackageVersion(ecosystem)}`;
  }
  return undefined;
};

const isShorter = (one: Dependency['through'], other: Dependency['through']): boolean =>
  one !== undefined && (other === undefined || one.length < other.length);

/** Limit of hashes and of addresses per version. Real versions have fewer files. */
const mostPerVersion = 500;

const unite = (
  first: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined =>
  first && other ? [...new Set([...first, ...other])].slice(0, mostPerVersion) : (first ?? other);

/**
 * Merges two entries of one package version: the line of the first, the shorter dependency chain, and the hashes and
 * addresses of both.
 */
const merge = (first: Dependency, other: Dependency): Dependency => ({
  ...first,
  license: first.license ?? other.license,
  line: first.line ?? other.line,
  through: isShorter(other.through, first.through) ? other.through : first.through,
  hashes: unite(first.hashes, other.hashes),
  addresses: unite(first.addresses, other.addresses),
});

const listOrNothing = (texts: readonly string[] | undefined): readonly string[] | undefined =>
  texts && texts.length > 0 ? [...new Set(texts)].slice(0, mostPerVersion) : undefined;

const isHash = (text: string): boolean => parseFileHash(text) !== undefined;

const isAddress = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text);

const spell = (found: Dependency): Dependency => ({
  ...found,
  name: canonicalizeName(found.ecosystem, found.name),
  license: found.license === undefined ? undefined : cleanText(found.license),
  through: found.through?.map(cleanText),
  hashes: listOrNothing(found.hashes?.filter(isHash)),
  addresses: listOrNothing(found.addresses?.filter(isAddress).map(cleanText)),
});

const gatherSources = (sources: Iterable<DeclaredSource>): DeclaredSource[] => {
  const byAddress = new Map<string, DeclaredSource>();
  for (const source of sources) {
    const address = cleanText(source.address);
    const key = `${source.kind} ${address}`;
    if (address !== '' && !byAddress.has(key)) byAddress.set(key, { ...source, address });
  }
  return [...byAddress.values()];
};

/** Merges the entries of a file: each package version once. Lists an invalid name or version as `unreadable`. */
export const gather = (
  found: Iterable<Found>,
  own: Iterable<string> = [],
  sources: Iterable<DeclaredSource> = [],
): Contents => {
  const dependencies = new Map<string, Dependency>();
  const unpinned: Unpinned[] = [];
  for (const one of found) {
    if ('reason' in one) {
      unpinned.push(cleanUnpinned(one));
      continue;
    }
    const detail = findFault(one);
    if (detail !== undefined) {
      const text = `${one.name}@${one.version}`;
      unpinned.push(cleanUnpinned({ text, reason: 'unreadable', detail, line: one.line }));
      continue;
    }
    const key = `${toVersionKey(one)} ${one.tag ?? ''}`;
    const first = dependencies.get(key);
    dependencies.set(key, first ? merge(first, spell(one)) : spell(one));
  }
  return {
    dependencies: [...dependencies.values()],
    unpinned,
    own: [...new Set([...own].map(cleanText).filter(Boolean))],
    sources: gatherSources(sources),
  };
};
