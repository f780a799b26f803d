import { createRandom, type Random } from '../../support/random.ts';

/** A whole number of a text, the same each time (FNV-1a). */
const digest = (text: string): number => {
  let hash = 0x811c9dc5;
  for (const character of text) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return hash >>> 0;
};

/** The choices of one part of a run: what other parts draw, and when, changes nothing of it. */
export const createPart = (seed: number, part: string): Random =>
  createRandom(digest(`${seed} ${part}`));
