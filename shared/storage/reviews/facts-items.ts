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

/** What an origin said at some time. It never changes, so that what a decision stood on can be read later. */
interface FactsItem {
  readonly v: string;
  readonly k: string;
  readonly facts: Uint8Array;
  /** Apart, so that who reads the facts alone need not unpack it; null where there is none, or one that is too long. */
  readonly manifest: Uint8Array | null;
}

const factsTable = defineTable<FactsItem>('reviews');

const toKey = (id: PackageId, digest: string) => ({ v: toVersionKey(id), k: `facts#${digest}` });

/** What is longer is not kept: an item has a limit, and so has what an installer is made to read. */
export const maxManifestBytes = 300 * 1024;

/** How many facts one call reads. */
export const factsPerCall = 20;

/** What facts may take, of which some are as large as an item may be. They never change, so that any read has them. */
export const createFactsEstimate = (): ReadEstimate => createEstimate(50);

/** Some facts, ready to be kept. */
export interface SavedFacts {
  /** The same for the same, whatever is the newest version. */
  readonly digest: string;
  readonly writes: readonly Write[];
}

/** Facts as they are kept, under the digest that names them. */
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

/** Returns the facts of a digest with their manifest; null where they are not kept. */
export const findRecord = async (id: PackageId, digest: string): Promise<CollectedFacts | null> => {
  const item = await getItem(factsTable, toKey(id, digest));
  return item ? toRecord(item) : null;
};

/** The facts of versions, each by its digest, with their manifests; by the versions' keys, without what is not kept. */
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
