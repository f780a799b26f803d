import type { Found } from '../../lockfiles/gather.ts';
import { readImageReference } from '../image-reference.ts';
import { expand, type Lookup } from './expand.ts';

/** Text of a file, as the tool reads it. */
export interface Written {
  readonly text: string;
  /** Offset of the text in the file; undefined if the file has it in another spelling. */
  readonly at: number | undefined;
}

/**
 * Reason why no digest can be written beside a reference. `spelling`: it has quotes or escapes inside, or several lines.
 * `inline`: it is in a Dockerfile inside a Compose file. `include`: it names another file.
 */
export type Unwritable = 'variable' | 'spelling' | 'inline' | 'model' | 'include';

/** Reference to an image in a file. */
export interface ImageSite {
  readonly found: Found;
  /** Reference as in the file. */
  readonly written: string;
  /** Offset of the end of the reference in the file, or the reason why nothing can be written there. */
  readonly end: number | Unwritable;
}

const findEnd = ({ text, at }: Written): ImageSite['end'] => {
  if (text.includes('$')) return 'variable';
  return at === undefined ? 'spelling' : at + text.trimEnd().length;
};

/** Returns the image that a file names, or an unpinned entry if a variable has no value. */
export const readImage = (given: Written, line: number | undefined, lookup: Lookup): ImageSite => {
  const reference = expand(given.text, lookup)?.trim();
  const site = { written: given.text.trim(), end: findEnd(given) };
  if (!reference) return { ...site, found: { text: given.text, reason: 'variable', line } };
  return {
    ...site,
    found: { ecosystem: 'docker', ...readImageReference(reference), line, through: [] },
  };
};
