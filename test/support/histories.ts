/** How many histories a rig goes through: as few as tell in `npm test`, and so many times more with PROOF_FACTOR set. */
export const histories = (short: number): number => {
  const factor = Number(process.env['PROOF_FACTOR'] ?? '1');
  if (Number.isInteger(factor) && factor >= 1) return short * factor;
  throw new RangeError('PROOF_FACTOR must be a whole number, 1 or more');
};
