import { type Attribute, type Entry, toEntry } from '../../domain/changes/release.ts';
import type { Facts } from '../../domain/facts/facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import type { Provenance } from '../../domain/facts/provenance.ts';
import type {
  AddressField,
  NamedRange,
  ReleaseDetails,
} from '../../domain/facts/release-details.ts';

/** What the registry has stored of a version. Undefined means not collected, or not in the answer of the origin. */
export interface StoredRelease {
  readonly facts: Facts | undefined;
  readonly manifest: Manifest | undefined;
  readonly details: ReleaseDetails | undefined;
  /** Result of the last check of the attestations. */
  readonly provenance?: Provenance | undefined;
}

/**
 * Returns an address; null if the version has none, undefined if it is unknown or unreadable. Details say whether upstream showed the
 * whole metadata. Without details, only a license shows that the address is of this version.
 */
const readAddress = (
  { facts, details }: StoredRelease,
  field: AddressField,
): string | null | undefined => {
  if (!facts) return undefined;
  const isKnown = details
    ? details.described && !details.unreadable?.includes(field)
    : facts[field] !== null && facts.license_declaration !== 'unknown';
  return isKnown ? facts[field] : undefined;
};

/** Limits up to which facts keep declared licenses whole. */
const mostLicenses = 20;
const longestLicense = 500;

/** Returns unreadable licenses as one text; undefined if facts may have cut them, since a cut text could be equal. */
const joinUnreadable = (licenses: readonly string[]): string | undefined => {
  const isCut =
    licenses.length >= mostLicenses || licenses.some(({ length }) => length >= longestLicense);
  return isCut ? undefined : licenses.join(', ') || undefined;
};

/** Returns the license as declared; null if the version declares none, undefined if it is unknown. */
const readLicense = ({ facts }: StoredRelease): string | null | undefined => {
  switch (facts?.license_declaration) {
    case 'readable':
      return facts.license ?? facts.license_statement ?? undefined;
    case 'unreadable':
      return joinUnreadable(facts.licenses_declared);
    case 'none':
      return null;
    default:
      return undefined;
  }
};

/**
 * Returns the repository and the workflow of a version with attestations, the latter without its branch or tag, which differs
 * in each version. They are unknown until the attestations are verified.
 */
export const listBuild = ({ facts, provenance }: StoredRelease): Attribute[] => {
  if (facts?.provenance !== true) return [];
  const { source_repository, workflow } =
    provenance?.status === 'verified' ? provenance : { source_repository: undefined };
  return [
    { field: 'provenance_repository', value: source_repository },
    { field: 'provenance_workflow', value: workflow?.replace(/@[^@]*$/, '') },
  ];
};

/** Returns the attributes that facts have in every ecosystem. */
export const listCommonAttributes = (release: StoredRelease): Attribute[] => {
  const provenance = release.facts?.provenance ?? undefined;
  return [
    { field: 'provenance', value: provenance === false ? null : provenance && 'present' },
    { field: 'repository', value: readAddress(release, 'repository') },
    { field: 'homepage', value: readAddress(release, 'homepage') },
    { field: 'license', value: readLicense(release) },
  ];
};

/** Returns a number as the value of an attribute; undefined for any other value. */
export const toNumberText = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;

/** Returns the sum of some sizes as the value of an attribute; undefined if one is unknown. */
export const sumSizes = (sizes: readonly (number | null | undefined)[]): string | undefined => {
  const known = sizes.filter((size) => typeof size === 'number');
  if (known.length === 0 || known.length < sizes.length) return undefined;
  return String(known.reduce((sum, size) => sum + size, 0));
};

/** Returns names and ranges as the entries of an attribute. */
export const toRangeEntries = (
  ranges: readonly NamedRange[] | undefined,
): ReadonlyMap<string, Entry> | undefined =>
  ranges && new Map(ranges.map(({ name, range }) => [name, toEntry(range)]));

/** Returns names as the entries of an attribute. */
export const toNameEntries = (
  names: readonly string[] | undefined,
): ReadonlyMap<string, Entry> | undefined =>
  names && new Map(names.map((name) => [name, toEntry('')]));
