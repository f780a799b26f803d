import { createHash } from 'node:crypto';
import { Facts } from '../../api/schemas/facts.ts';
import type { CollectedFacts } from '../../domain/facts/collected-facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { batchGet, createEstimate, getItem, type ReadEstimate } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';
import { putPinnedHashes } from './pinned-hashes.ts';

/** Upstream metadata of a version at one time. It is immutable, so that the evidence of a decision stays readable. */
interface FactsItem {
  readonly v: string;
  readonly k: string;
  readonly facts: Uint8Array;
  /**
   * Packed manifest, separate so that readers of the facts need not unpack it; null if there is none, or if it is too
   * long.
   */
  readonly manifest: Uint8Array | null;
}

const factsTable = defineTable<FactsItem>('reviews');

const toKey = (id: PackageId, digest: string) => ({ v: toVersionKey(id), k: `facts#${digest}` });

/**
 * Maximum size of a packed manifest in bytes. A longer one is not stored: items have a size limit, and so has the
 * amount of data that an installer should read.
 */
export const maxManifestBytes = 300 * 1024;

/** Number of facts in one call. */
export const factsPerCall = 20;

/**
 * Returns an estimate of the read units of facts, at first 50 for each: some items are as large as DynamoDB allows.
 * Facts never
 * change, so eventually consistent reads suffice.
 */
export const createFactsEstimate = (): ReadEstimate => createEstimate(50);

/** Digest of facts, and the writes that store them. */
export interface SavedFacts {
  /** Digest that is equal for equal facts. It ignores the newest version of the package. */
  readonly digest: string;
  readonly writes: readonly Write[];
}

/** Returns the writes that store facts, and their digest. */
export const putFacts = (id: PackageId, { facts, manifest }: CollectedFacts): SavedFacts => {
  const { newest_version: _, ...lasting } = facts;
  const packed = manifest && pack(manifest);
  const kept = packed && packed.length <= maxManifestBytes ? packed : null;
  const digest = createHash('sha256')
    .update(JSON.stringify([lasting, kept ? manifest : null]))
    .digest('base64url')
    .slice(0, 22);
  const item = { ...toKey(id, digest), facts: pack(facts), manifest: kept };
  const hashes = putPinnedHashes(id, digest, manifest);
  return { digest, writes: [putItem(factsTable, item), ...hashes] };
};

const toRecord = ({ facts, manifest }: FactsItem): CollectedFacts => ({
  facts: Facts.parse(unpack(facts)),
  manifest: manifest && (unpack(manifest) as Manifest),
});

/** Returns the facts of a digest with their manifest; null if they are not stored. */
export const findRecord = async (id: PackageId, digest: string): Promise<CollectedFacts | null> => {
  const item = await getItem(factsTable, toKey(id, digest));
  return item ? toRecord(item) : null;
};

/** Returns the manifest of a version under a digest; null if there is none, or if it is not stored. */
export const findManifest = async (id: PackageId, digest: string): Promise<Manifest | null> => {
  const item = await getItem(factsTable, toKey(id, digest));
  return item?.manifest ? (unpack(item.manifest) as Manifest) : null;
};

/** Returns facts by version key, each with its manifest. Facts that are not stored are omitted. */
export const findRecords = async (
  wanted: readonly (PackageId & { readonly digest: string })[],
  estimate: ReadEstimate = createFactsEstimate(),
): Promise<ReadonlyMap<string, CollectedFacts>> => {
  const keyed = await batchGet(
    factsTable,
    wanted.map((id) => toKey(id, id.digest)),
    { eventual: true, estimate, keysACall: factsPerCall },
  );
  return new Map(keyed.map((item) => [item.v, toRecord(item)]));
};
