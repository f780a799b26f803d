import type { CollectedFacts } from '../domain/facts/collected-facts.ts';
import type { Facts } from '../domain/facts/facts.ts';
import type { Manifest } from '../domain/facts/manifest.ts';
import { type PackageId, toVersionKey } from '../domain/package-id.ts';
import { listApproved } from '../store/packages/approved-versions.ts';
import { findRecords } from '../store/reviews/facts.ts';

type Kind = Manifest['kind'];
type ManifestOf<K extends Kind> = Extract<Manifest, { readonly kind: K }>;

/** An approved version as a package manager is served it: what its origin said when it was approved. */
export interface ServedVersion<K extends Kind> {
  readonly version: string;
  readonly facts: Facts;
  readonly manifest: ManifestOf<K>;
}

/** What is approved of a package. */
export interface ApprovedPackage<K extends Kind> {
  /** The one that was submitted last, whether it can be served or not; undefined where there is none. */
  readonly newest: PackageId | undefined;
  readonly served: readonly ServedVersion<K>[];
}

export const isKind = <K extends Kind>(
  manifest: CollectedFacts['manifest'] | undefined,
  kind: K,
): manifest is ManifestOf<K> => manifest?.kind === kind;

/**
 * The versions of a package that are approved at a moment, and pinned, newest first: two calls, as long as there are at
 * most 100.
 */
export const listServed = async <K extends Kind>(
  kind: K,
  id: Pick<PackageId, 'ecosystem' | 'name'>,
  now: Date,
): Promise<ApprovedPackage<K>> => {
  const approved = await listApproved(id, now);
  const pinned = approved.flatMap((item) =>
    item.pinned ? [{ ...item, digest: item.pinned }] : [],
  );
  const records = await findRecords(pinned);
  const served = pinned.flatMap((item) => {
    const { facts, manifest } = records.get(toVersionKey(item)) ?? {};
    return facts && isKind(manifest, kind) ? [{ version: item.version, facts, manifest }] : [];
  });
  return { newest: approved[0], served };
};
