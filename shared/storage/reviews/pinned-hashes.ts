import type { Manifest } from '../../domain/facts/manifest.ts';
import {
  comparedBytes,
  listPinnedFiles,
  type PinnedFiles,
} from '../../domain/facts/pinned-files.ts';
import { type FileHash, hashAlgorithms } from '../../domain/packages/file-hash.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { batchGet } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';
import type { ReviewState } from './review-state.ts';

/**
 * Hashes of a version's files, stored apart from its facts. A project check reads hundreds of them, and the facts of
 * one version may have 300 KB.
 */
interface PinnedHashesItem {
  readonly v: string;
  readonly k: string;
  /** Hashes, each as the number of its algorithm and its first bytes. */
  readonly hashes: Uint8Array;
  readonly hosts: readonly string[];
  readonly isPartial?: boolean;
  readonly imageDigest?: string;
}

const hashesTable = defineTable<PinnedHashesItem>('reviews');

const toKey = (id: PackageId, digest: string) => ({ v: toVersionKey(id), k: `hashes#${digest}` });

const recordBytes = 1 + comparedBytes;
/**
 * Maximum number of hashes, so that an item stays below 8 KB and costs one read unit. Versions rarely have half as many
 * files.
 */
const mostHashes = 450;

const encode = (hashes: readonly FileHash[]): Buffer =>
  Buffer.concat(
    hashes.map(({ algorithm, hex }) =>
      Buffer.concat([
        Buffer.of(hashAlgorithms.indexOf(algorithm)),
        Buffer.from(hex.slice(0, 2 * comparedBytes), 'hex'),
      ]),
    ),
  );

const decode = (bytes: Uint8Array): FileHash[] =>
  Array.from({ length: bytes.length / recordBytes }, (_, at) => {
    const [kind = 0, ...hash] = bytes.subarray(at * recordBytes, (at + 1) * recordBytes);
    return { algorithm: hashAlgorithms[kind] ?? 'md5', hex: Buffer.from(hash).toString('hex') };
  });

/**
 * Returns the write that stores the hashes of facts under their digest. There is none if there are no hashes, or too
 * many.
 */
export const putPinnedHashes = (
  id: PackageId,
  digest: string,
  manifest: Manifest | null,
): Write[] => {
  if (!manifest) return [];
  const { hashes, ...others } = listPinnedFiles(manifest);
  if (hashes.length === 0 || hashes.length > mostHashes) return [];
  return [putItem(hashesTable, { ...toKey(id, digest), hashes: encode(hashes), ...others })];
};

/** Returns the digest of the upstream metadata that an approval pinned, or would pin for an unapproved version. */
export const findPinnedDigest = ({
  status,
  pinned,
  facts,
}: Pick<ReviewState, 'status' | 'pinned' | 'facts'>): string | undefined => {
  if (pinned) return pinned;
  return status !== 'approved' && facts?.found === 'yes' ? facts.digest : undefined;
};

/**
 * Returns the file hashes of versions by version key, with eventually consistent reads. Versions without stored hashes
 * are omitted. Each hash is cut to the bytes that are compared.
 */
export const findPinnedHashes = async (
  wanted: readonly (PackageId & { readonly digest: string })[],
): Promise<ReadonlyMap<string, PinnedFiles>> => {
  const keys = wanted.map((id) => toKey(id, id.digest));
  const found = await batchGet(hashesTable, keys, { eventual: true, unitsAnItem: 2 });
  return new Map(
    found.map(({ v, hashes, hosts, isPartial = false, imageDigest }) => [
      v,
      { hashes: decode(hashes), hosts, isPartial, ...(imageDigest && { imageDigest }) },
    ]),
  );
};
