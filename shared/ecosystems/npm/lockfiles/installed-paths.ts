import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { SyntaxNode } from '../../lockfiles/syntax/syntax-node.ts';

/**
 * A folder in the tree of `node_modules`. A package resolves another one inside its own folder first, then beside
 * itself, then in each folder further out.
 */
export interface Place {
  readonly around: Place | undefined;
  readonly inside: Map<string, Place>;
  readonly depth: number;
  /** The lockfile's entry of the package in this folder. */
  entry?: SyntaxNode;
}

/** Maximum depth of folders. No file system allows paths of such a depth. */
const deepest = 100;

/**
 * Returns an empty place, an outermost one without `around`.
 * @throws {UnreadableDependencyFileError} if it is too deep
 */
export const newPlace = (around?: Place): Place => {
  const depth = around ? around.depth + 1 : 0;
  if (depth > deepest) {
    throw new UnreadableDependencyFileError(
      `Its packages nest deeper than ${deepest} folders. Have the tool that wrote it write it anew.`,
    );
  }
  return { around, inside: new Map(), depth };
};

/** Returns the place of that name inside another one, and creates it if it is missing. */
export const placeInside = (place: Place, name: string): Place => {
  const known = place.inside.get(name);
  if (known) return known;
  const made = newPlace(place);
  place.inside.set(name, made);
  return made;
};

/** Returns the place of the package that a package in `place` resolves by that name; undefined if there is none. */
export const findFrom = (place: Place, name: string): Place | undefined => {
  for (let at: Place | undefined = place; at; at = at.around) {
    const found = at.inside.get(name);
    if (found?.entry) return found;
  }
  return undefined;
};
