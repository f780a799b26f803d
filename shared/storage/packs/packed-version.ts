import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import type { Facts } from '../../domain/facts/facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import { listOptionalNames } from '../../domain/facts/npm-optional-names.ts';
import { isObject, type JsonObject } from '../../util/json.ts';
import { pack } from '../dynamodb/pack.ts';
import type { PackageItem } from '../packages/package-item.ts';

/** Fields of upstream metadata that lists of the gate show. */
export type ListedFacts = Pick<
  Facts,
  | 'published_at'
  | 'license_declaration'
  | 'license_statement'
  | 'licenses_declared'
  | 'homepage'
  | 'repository'
>;

/** Upstream metadata of a version, without what no list of the gate shows. */
export interface ListedContent {
  readonly facts: ListedFacts;
  readonly manifest: Manifest;
}

/** Fields of an approved version's item that lists of the gate need. */
export type ApprovedFields = Pick<
  PackageItem,
  'name' | 'version' | 'sequence' | 'revision' | 'approved_at' | 'expires_at'
> & { readonly pinned: string | null };

/** Approved version in a pack. Without `content`, the pinned metadata is read by its digest. */
export interface PackedVersion extends ApprovedFields {
  readonly content?: ListedContent;
}

/** Version key, and the approved version; null if the version is not approved any more. */
export type PackEntry = readonly [key: string, version: PackedVersion | null];

export const toApprovedFields = ({ pinned = null, ...item }: PackageItem): ApprovedFields => {
  const { name, version, sequence, revision, approved_at, expires_at } = item;
  return { name, version, sequence, revision, approved_at, expires_at, pinned };
};

/** Longest packed content of one version, in bytes. Longer content stays where it is. */
const maxContentBytes = 60 * 1024;

/** Returns a manifest with empty download addresses: lists name addresses of the gate in their place. */
const hideAddresses = (manifest: Manifest): Manifest | undefined => {
  if (manifest.kind === 'pypi') {
    return { kind: 'pypi', files: manifest.files.map((file) => ({ ...file, url: '' })) };
  }
  if (manifest.kind !== 'npm') return undefined;
  const { dist } = manifest.version;
  if (!isObject(dist)) return manifest;
  return { kind: 'npm', version: { ...manifest.version, dist: { ...dist, tarball: '' } } };
};

/** Returns the content of a version for its pack; undefined if no list shows content, or if it is too long. */
const toContent = ({ facts, manifest }: CollectedFacts): ListedContent | undefined => {
  const listed = manifest && hideAddresses(manifest);
  if (!listed) return undefined;
  const { published_at, license_declaration, license_statement, licenses_declared } = facts;
  const { homepage, repository } = facts;
  const content = {
    facts: {
      ...{ published_at, license_declaration, license_statement, licenses_declared },
      ...{ homepage, repository },
    },
    manifest: listed,
  };
  return pack(content).length <= maxContentBytes ? content : undefined;
};

/** Returns an approved version for its pack. `record` is its pinned metadata; undefined if that is not stored. */
export const toPackedVersion = (
  fields: ApprovedFields,
  record: CollectedFacts | undefined,
): PackedVersion => {
  const content = record && toContent(record);
  return { ...fields, ...(content && { content }) };
};

const toNpmVersion = ([, version]: PackEntry): JsonObject[] => {
  const manifest = version?.content?.manifest;
  return manifest?.kind === 'npm' ? [manifest.version] : [];
};

/** Returns the names of optional packages in these entries; null if some content is not in its entry. */
export const listNamesIn = (entries: readonly PackEntry[]): readonly string[] | null => {
  const isOutside = ([key, version]: PackEntry): boolean =>
    key.startsWith('npm#') && Boolean(version?.pinned) && version?.content === undefined;
  return entries.some(isOutside) ? null : listOptionalNames(entries.flatMap(toNpmVersion));
};

/** Returns the entries in the order of their submissions. A later entry replaces an earlier one of the same version. */
export const mergeEntries = (
  ...layers: readonly (readonly PackEntry[])[]
): readonly PackEntry[] => {
  const merged = new Map(layers.flat());
  const sequenceOf = ([, version]: PackEntry): string => version?.sequence ?? '';
  return [...merged].sort((a, b) => (sequenceOf(a) < sequenceOf(b) ? -1 : 1));
};
