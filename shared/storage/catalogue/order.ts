/** Order in which a list visits sequence numbers, buckets and partitions. */
export interface Order {
  /** True if sequence numbers ascend. */
  readonly isAscending: boolean;
  /** Compares sequence numbers, buckets or partitions in list order. */
  readonly compare: (one: number, other: number) => number;
  /** Returns the first sequence number, in list order, of a range of 2^bits numbers. */
  readonly enter: (range: number, bits: number) => number;
}

export const oldestFirst: Order = {
  isAscending: true,
  compare: (one, other) => one - other,
  enter: (range, bits) => range * 2 ** bits,
};

export const newestFirst: Order = {
  isAscending: false,
  compare: (one, other) => other - one,
  enter: (range, bits) => (range + 1) * 2 ** bits - 1,
};
