import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import type { Facts } from '../../domain/facts/facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import type { ReadEstimate } from '../../storage/dynamodb/read.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import { approvedPages } from '../../storage/packages/approved-versions.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import {
  createFactsEstimate,
  factsPerCall,
  findRecords,
} from '../../storage/reviews/facts-items.ts';

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

/** Kept for what is read of other packages. */
const unitsForOthers = 300;

const hasRoom = (units: number): boolean => hasReadUnits(units + unitsForOthers);

/** As many as are read at once where that fits into what the request may read. */
const many = 5 * factsPerCall;

/** The versions that the request may still read the facts of, the first ones first. */
const readServed = async <K extends Kind>(
  kind: K,
  approved: readonly PackageItem[],
  estimate: ReadEstimate,
): Promise<ServedVersion<K>[]> => {
  const served: ServedVersion<K>[] = [];
  let left = approved.flatMap((item) => (item.pinned ? [{ ...item, digest: item.pinned }] : []));
  while (left.length > 0 && hasRoom(estimate.of(factsPerCall))) {
    const some = left.slice(0, hasRoom(estimate.of(many)) ? many : factsPerCall);
    left = left.slice(some.length);
    const records = await findRecords(some, estimate);
    for (const item of some) {
      const { facts, manifest } = records.get(toVersionKey(item)) ?? {};
      if (facts && isKind(manifest, kind)) served.push({ version: item.version, facts, manifest });
    }
  }
  return served;
};

/**
 * The versions of a package that are approved at a moment, and pinned, newest first: two calls for 100 of them. Of more
 * than one request may read, the newest.
 */
export const listServed = async <K extends Kind>(
  kind: K,
  id: Pick<PackageId, 'ecosystem' | 'name'>,
  now: Date,
): Promise<ApprovedPackage<K>> => {
  let newest: PackageId | undefined;
  const served: ServedVersion<K>[] = [];
  const estimate = createFactsEstimate();
  for await (const approved of approvedPages(id, now)) {
    newest ??= approved[0];
    served.push(...(await readServed(kind, approved, estimate)));
    if (!hasRoom(estimate.of(factsPerCall))) break;
  }
  return { newest, served };
};
