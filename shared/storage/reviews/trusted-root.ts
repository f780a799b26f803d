import { pack, unpack } from '../dynamodb/pack.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';

/** Trusted root of Sigstore, as the last refresh found it. */
interface TrustedRootItem {
  readonly v: string;
  readonly k: string;
  readonly root: Uint8Array;
  /** ISO 8601 in UTC. */
  readonly refreshed_at: string;
}

/** Trusted root of Sigstore in its JSON form, and when it was refreshed, ISO 8601 in UTC. */
export interface StoredTrustedRoot {
  readonly root: unknown;
  readonly refreshed_at: string;
}

const trustedRootTable = defineTable<TrustedRootItem>('reviews');

/** No version key begins with `#`. */
const key = { v: '#trusted-root', k: 'sigstore' };

/** Returns the stored trusted root; undefined before the first refresh. */
export const findTrustedRoot = async (): Promise<StoredTrustedRoot | undefined> => {
  const item = await getItem(trustedRootTable, key, { eventual: true });
  return item && { root: unpack(item.root), refreshed_at: item.refreshed_at };
};

/** Returns the write that stores the trusted root of a refresh. */
export const putTrustedRoot = ({ root, refreshed_at }: StoredTrustedRoot): Write =>
  putItem(trustedRootTable, { ...key, root: pack(root), refreshed_at });
