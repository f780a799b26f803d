/** Maximum number of batches that a version belongs to. Further batches are ignored, so that a review state stays small. */
export const maxBatches = 20;

/** Format of a batch's name: it is part of keys, addresses and commands. */
export const batchName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export const batchNameRule =
  'must be a short name, such as shop-2026-11: letters, digits, ".", "_" and "-", at most 100';

/** Returns the number of batches that request a version; 1 for a submission without a batch. */
export const countDemand = (batches: readonly string[]): number => Math.max(1, batches.length);
