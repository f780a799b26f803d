import type { Found } from '../../lockfiles/gather.ts';
import { readImageReference } from '../image-reference.ts';
import { expand, type Lookup } from './expand.ts';

/** Returns the image that a file names, or an unpinned entry if a variable has no value. */
export const readImage = (given: string, line: number | undefined, lookup: Lookup): Found => {
  const reference = expand(given, lookup)?.trim();
  if (!reference) return { text: given, reason: 'variable', line };
  return { ecosystem: 'docker', ...readImageReference(reference), line, through: [] };
};
