/** Returns the number of histories of a rig: few in `npm test`, multiplied by PROOF_FACTOR. */
export const histories = (short: number): number => {
  const factor = Number(process.env['PROOF_FACTOR'] ?? '1');
  if (Number.isInteger(factor) && factor >= 1) return short * factor;
  throw new RangeError('PROOF_FACTOR must be a whole number, 1 or more');
};
