/** The order in which a list goes through ordinals, and through the blocks and partitions that they are cut into. */
export interface Order {
  /** Whether ordinals go up. */
  readonly isAscending: boolean;
  /** Sorts ordinals, blocks or partitions as the list meets them. */
  readonly compare: (one: number, other: number) => number;
  /** The ordinal at which the list enters a block of 2^bits ordinals. */
  readonly enter: (block: number, bits: number) => number;
}

export const oldestFirst: Order = {
  isAscending: true,
  compare: (one, other) => one - other,
  enter: (block, bits) => block * 2 ** bits,
};

export const newestFirst: Order = {
  isAscending: false,
  compare: (one, other) => other - one,
  enter: (block, bits) => (block + 1) * 2 ** bits - 1,
};
