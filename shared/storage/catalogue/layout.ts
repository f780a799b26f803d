/**
 * Sizes of the catalogue's buckets, partitions and shards, as numbers of bits of a sequence number. Only tests use
 * other
 * values than the default.
 */
export interface CatalogueLayout {
  /** Sequence numbers in a partition of browse rows, which has one summary of its large buckets. */
  readonly partitionBits: number;
  /** Sequence numbers in a large bucket; not more than in a partition. */
  readonly largeBucketBits: number;
  /** Sequence numbers in a small bucket, which also bounds the rows that a page skips. */
  readonly smallBucketBits: number;
  /** Sequence numbers in the first shard of search rows. Each further shard doubles the numbers of all before it. */
  readonly searchShardBits: number;
}

export const defaultLayout: CatalogueLayout = {
  partitionBits: 22,
  largeBucketBits: 15,
  smallBucketBits: 7,
  searchShardBits: 17,
};

/**
 * Returns the number of the range of 2^bits sequence numbers that contains a sequence number. The operator `>>` is
 * limited to 32 bits.
 */
export const findPiece = (sequence: number, bits: number): number =>
  Math.floor(sequence / 2 ** bits);
