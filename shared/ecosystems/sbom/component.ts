import { isPackageVersion } from '../../domain/packages/package-version.ts';
import { findPurlType, purlTypes, readPurl } from '../../domain/packages/purl.ts';
import type { Found } from '../lockfiles/gather.ts';
import { readPurlSource } from './purl-source.ts';

/** What a bill of materials says of one part. */
export interface Entry {
  /** How people call it. */
  readonly label: string;
  readonly purl: string | undefined;
  readonly version: string | undefined;
  readonly license: string | undefined;
  /** Where it was got, where the bill says that. */
  readonly address: string | undefined;
  /** Hashes of its file, as `sha256:HEX`. */
  readonly hashes: readonly string[];
  /** Where a package of npm lies in the project. */
  readonly folder: string | undefined;
  readonly line: number | undefined;
  /** Whether it is a package, and no part of the system, nor a file. */
  readonly isPackage: boolean;
}

/** Why a document that says so of itself cannot have everything that is installed, and what to do. */
export const incompleteBill =
  'It says itself that it lacks packages, or may lack some. Have the tool that wrote it list everything.';

/** A package of npm that is not installed, but lies in the project: a member of its workspace. */
export const isMember = ({ folder, purl }: Entry): boolean =>
  folder !== undefined &&
  purl?.startsWith('pkg:npm/') === true &&
  !/(?:^|\/)node_modules\/|^\.\.\//.test(folder);

/** What the project's own part is called: as its package URL names it, else as people do, without its version. */
export const nameOwn = ({ label, purl, version }: Entry): string =>
  (purl && readPurl(purl)?.name) ??
  (version && label.endsWith(`@${version}`) ? label.slice(0, -version.length - 1) : label);

/** An address of a package, and not of a page about it. */
const isFile = (address: string | undefined): boolean =>
  address !== undefined && /\.tgz(?:$|[?#])|^git\b/.test(address);

const ranges = /[\^~<>*|]|^\[|^\(/;

/** What an entry with a package URL names. */
const readNamed = (entry: Entry, purl: string, through: readonly string[] | undefined): Found => {
  const { label, license, line } = entry;
  const type = findPurlType(purl);
  const left = { text: label, detail: purl, line };
  if (type === undefined) return { ...left, reason: 'unreadable' };
  if (!purlTypes.includes(type)) return { ...left, reason: 'other_ecosystem' };
  const named = readPurl(purl);
  if (!named) return { ...left, reason: 'unreadable' };
  const { ecosystem, name } = named;
  const other = entry.version ?? '';
  const { digest } = named;
  // What is pulled by its digest is that, whatever the tag means by then.
  if (digest !== undefined && isPackageVersion(ecosystem, digest)) {
    return { ecosystem, name, version: digest, tag: named.version, license, line, through };
  }
  const version = named.version ?? (isPackageVersion(ecosystem, other) ? other : undefined);
  const address = ecosystem === 'npm' && isFile(entry.address) ? entry.address : undefined;
  const { elsewhere, addresses } = readPurlSource(purl, { ecosystem, name, version }, address);
  if (elsewhere) return { text: label, ...elsewhere, line };
  if (version === undefined) {
    return { ...left, reason: ranges.test(other) ? 'range' : 'no_version' };
  }
  return { ecosystem, name, version, license, line, through, addresses, hashes: entry.hashes };
};

export const readEntry = (entry: Entry, through: readonly string[] | undefined): Found => {
  const { label, purl, line, isPackage } = entry;
  if (purl !== undefined) return readNamed(entry, purl, through);
  return { text: label, reason: isPackage ? 'no_purl' : 'not_a_package', line };
};
