/** Compares two values for sorting. Texts compare by their UTF-16 code units, so that the order depends on no locale. */
export const compareOrder = <T extends bigint | number | string>(one: T, other: T): number =>
  one === other ? 0 : one < other ? -1 : 1;
