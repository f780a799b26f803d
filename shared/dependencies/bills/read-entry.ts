import { isPackageVersion } from '../../domain/package-version.ts';
import { findPurlType, purlTypes, readPurl } from '../../domain/purl.ts';
import type { Found } from '../gather.ts';
import { judgeOrigin } from '../npm/specs.ts';

/** What a bill of materials says of one part. */
export interface Entry {
  /** How people call it. */
  readonly label: string;
  readonly purl: string | undefined;
  readonly version: string | undefined;
  readonly license: string | undefined;
  readonly line: number | undefined;
  /** Whether it is a part of the system, a file or a folder. */
  readonly isPackage: boolean;
}

/** What a package URL says of where it was got, beside its name. */
const readOrigin = (purl: string, name: string, version: string) => {
  const [, query = ''] = /\?([^#]*)/.exec(purl) ?? [];
  const qualifiers = new URLSearchParams(query.replaceAll('+', '%2B'));
  const address = qualifiers.get('vcs_url') ?? qualifiers.get('download_url') ?? undefined;
  return judgeOrigin({ name, version, address });
};

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
  const version = named.version ?? (isPackageVersion(ecosystem, other) ? other : undefined);
  if (version === undefined) {
    return { ...left, reason: ranges.test(other) ? 'range' : 'no_version' };
  }
  const elsewhere = ecosystem === 'npm' ? readOrigin(purl, name, version) : undefined;
  if (elsewhere) return { text: label, ...elsewhere, line };
  return { ecosystem, name, version, license, line, through };
};

export const readEntry = (entry: Entry, through: readonly string[] | undefined): Found => {
  const { label, purl, line, isPackage } = entry;
  if (purl !== undefined) return readNamed(entry, purl, through);
  return { text: label, reason: isPackage ? 'no_purl' : 'not_a_package', line };
};
