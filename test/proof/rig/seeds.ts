import { createRandom, type Random } from '../../support/random.ts';

/** Returns a stable hash of a text (FNV-1a). */
const digest = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
};

/** The random choices of one part of a run, independent of the choices of other parts. */
export const createPart = (seed: number, part: string): Random =>
  createRandom(digest(`${seed} ${part}`));
