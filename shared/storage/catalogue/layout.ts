/**
 * How the catalogue cuts the order of submissions into pieces. All are powers of two, given as numbers of bits of an
 * ordinal; only tests use others than the default.
 */
export interface CatalogueLayout {
  /** Ordinals in a partition of browse rows. */
  readonly partitionBits: number;
  /** Ordinals that a coarse counter counts. Not more than a partition. */
  readonly coarseBits: number;
  /** Ordinals that a fine counter counts, which is also the most rows that a page ever skips. */
  readonly fineBits: number;
  /** Ordinals in a shard of search rows: shards appear as the registry grows. */
  readonly searchShardBits: number;
}

export const defaultLayout: CatalogueLayout = {
  partitionBits: 20,
  coarseBits: 15,
  fineBits: 7,
  searchShardBits: 17,
};

/** The piece of 2^bits ordinals that an ordinal lies in. Not `>>`, which ends at 32 bits. */
export const findPiece = (ordinal: number, bits: number): number => Math.floor(ordinal / 2 ** bits);
