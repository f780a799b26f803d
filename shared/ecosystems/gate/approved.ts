import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import {
  type PackageId,
  type PackageName,
  toVersionKey,
} from '../../domain/packages/package-id.ts';
import type { ReadEstimate } from '../../storage/dynamodb/read.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import { approvedPages } from '../../storage/packages/approved-versions.ts';
import { type Pack, readPack } from '../../storage/packs/find-pack.ts';
import type { ListedFacts, PackedVersion } from '../../storage/packs/packed-version.ts';
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
  readonly facts: ListedFacts;
  readonly manifest: ManifestOf<K>;
}

/** The approved versions of a package that no freeze refuses. */
export interface ApprovedPackage<K extends Kind> {
  /** The approved version with the latest submission, even if the gate cannot serve it; undefined if none is approved. */
  readonly newest: PackageId | undefined;
  readonly served: readonly ServedVersion<K>[];
  /** True if a pack alone decides `served`, and nothing of it was omitted. */
  readonly isOfPack: boolean;
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

/** An approved version, with its content if a pack has it. */
type ApprovedVersion = PackageId &
  Pick<PackedVersion, 'content'> & { readonly pinned?: string | null };

/** Returns the pinned versions whose facts fit into the request's read limit, in the given order. */
const readServed = async <K extends Kind>(
  kind: K,
  approved: readonly ApprovedVersion[],
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

/** Returns the approved versions of a package from the index. If they exceed the read limit, only the newest are returned. */
const listByIndex = async <K extends Kind>(
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
  return { newest, served, isOfPack: false };
};

/** Returns the approved versions of a pack at a time that no freeze refuses, newest first; undefined if it is unreadable. */
export const listInPack = async (
  pack: Pack | undefined,
  { now, freeze }: GateMoment,
): Promise<readonly (PackageId & PackedVersion)[] | undefined> => {
  const versions = pack && (await readPack(pack, now));
  const { ecosystem } = pack?.of ?? {};
  return (
    versions &&
    ecosystem &&
    dropFrozen(
      versions.map((one) => ({ ...one, ecosystem })),
      freeze,
    )
  );
};

/** Returns the versions of a pack with their content. Content that is not in the pack is read by its digest. */
const unpackServed = async <K extends Kind>(
  kind: K,
  approved: readonly (PackageId & PackedVersion)[],
): Promise<ApprovedPackage<K>> => {
  const pinned = approved.filter((one) => one.pinned);
  const outside = pinned.filter(({ content }) => content === undefined);
  const read = await readServed(kind, outside, createFactsEstimate());
  const byVersion = new Map(read.map((one) => [one.version, one]));
  const served = pinned.flatMap(({ version, content }) => {
    const { facts, manifest } = content ?? byVersion.get(version) ?? {};
    return facts && isKind(manifest, kind) ? [{ version, facts, manifest }] : [];
  });
  return { newest: approved[0], served, isOfPack: read.length === outside.length };
};

/**
 * Returns the approved and pinned versions of a package that no freeze refuses, newest first. A pack takes one call for its
 * segments. Without a usable pack, all versions are read: two calls for 100 versions.
 */
export const listServed = async <K extends Kind>(
  kind: K,
  { id, pack }: { readonly id: PackageName; readonly pack: Pack | undefined },
  moment: GateMoment,
): Promise<ApprovedPackage<K>> => {
  const approved = await listInPack(pack, moment);
  return approved ? unpackServed(kind, approved) : listByIndex(kind, id, moment);
};
