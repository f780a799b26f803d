import { isPackageVersion } from '../../domain/packages/package-version.ts';
import { findPurlType, purlTypes, readPurl } from '../../domain/packages/purl.ts';
import type { Found } from '../lockfiles/gather.ts';
import { readPurlSource } from './purl-source.ts';

/** A component of an SBOM. */
export interface Entry {
  /** Name for display, with the version if it is known. */
  readonly label: string;
  readonly purl: string | undefined;
  readonly version: string | undefined;
  readonly license: string | undefined;
  /** Download location, if the SBOM states it. */
  readonly address: string | undefined;
  /** Hashes of the component's files, each as `ALGORITHM:HEX`. */
  readonly hashes: readonly string[];
  /** Folder of an npm package in the project. */
  readonly folder: string | undefined;
  readonly line: number | undefined;
  /** True if the component is a package; false for a file or a part of the operating system. */
  readonly isPackage: boolean;
}

/** Message for an SBOM that declares itself incomplete, with the remedy. */
export const incompleteBill =
  'It says itself that it lacks packages, or may lack some. Have the tool that wrote it list everything.';

/** True if the entry is a workspace member: an npm package in the project folder, outside `node_modules`. */
export const isMember = ({ folder, purl }: Entry): boolean =>
  folder !== undefined &&
  purl?.startsWith('pkg:npm/') === true &&
  !/(?:^|\/)node_modules\/|^\.\.\//.test(folder);

/** Returns the name of the project's own component: from its package URL, else from its label without the version. */
export const nameOwn = ({ label, purl, version }: Entry): string =>
  (purl && readPurl(purl)?.name) ??
  (version && label.endsWith(`@${version}`) ? label.slice(0, -version.length - 1) : label);

/** True if the address is that of a package file or Git repository, and not of a web page. */
const isFile = (address: string | undefined): boolean =>
  address !== undefined && /\.tgz(?:$|[?#])|^git\b/.test(address);

const ranges = /[\^~<>*|]|^\[|^\(/;

/** Returns the dependency that an entry's package URL names, or the reason why it is not pinned. */
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
  // A pull by digest ignores the tag, which may have moved.
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
