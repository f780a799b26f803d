import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import type { Facts } from '../../domain/facts/facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import {
  type PackageId,
  type PackageName,
  toVersionKey,
} from '../../domain/packages/package-id.ts';
import type { ReadEstimate } from '../../storage/dynamodb/read.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import { approvedPages } from '../../storage/packages/approved-versions.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import {
  createFactsEstimate,
  factsPerCall,
  findRecords,
} from '../../storage/reviews/facts-items.ts';
import { dropFrozen } from '../../storage/reviews/freeze.ts';
import type { GateMoment } from './refusal.ts';

type Kind = Manifest['kind'];
type ManifestOf<K extends Kind> = Extract<Manifest, { readonly kind: K }>;

/** An approved version that the gate serves, with the upstream metadata from the time of the approval. */
export interface ServedVersion<K extends Kind> {
  readonly version: string;
  readonly facts: Facts;
  readonly manifest: ManifestOf<K>;
}

/** The approved versions of a package that no freeze refuses. */
export interface ApprovedPackage<K extends Kind> {
  /** The approved version with the latest submission, even if the gate cannot serve it; undefined if none is approved. */
  readonly newest: PackageId | undefined;
  readonly served: readonly ServedVersion<K>[];
}

export const isKind = <K extends Kind>(
  manifest: CollectedFacts['manifest'] | undefined,
  kind: K,
): manifest is ManifestOf<K> => manifest?.kind === kind;

/** Read units reserved for other packages in the same request. */
const unitsForOthers = 300;

const hasRoom = (units: number): boolean => hasReadUnits(units + unitsForOthers);

/** Number of records per read if the request's read limit allows that many. */
const many = 5 * factsPerCall;

/** Returns the pinned versions whose facts fit into the request's read limit, in the given order. */
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
 * Returns the approved and pinned versions of a package that no freeze refuses, newest first. Costs two calls for 100
 * versions. If the versions exceed the read limit of one request, only the newest are returned.
 */
export const listServed = async <K extends Kind>(
  kind: K,
  id: PackageName,
  { now, freeze }: GateMoment,
): Promise<ApprovedPackage<K>> => {
  let newest: PackageId | undefined;
  const served: ServedVersion<K>[] = [];
  const estimate = createFactsEstimate();
  for await (const page of approvedPages(id, now)) {
    const approved = await dropFrozen(page, freeze);
    newest ??= approved[0];
    served.push(...(await readServed(kind, approved, estimate)));
    if (!hasRoom(estimate.of(factsPerCall))) break;
  }
  return { newest, served };
};
