import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { SyntaxNode } from '../../lockfiles/syntax/syntax-node.ts';

/**
 * A place in the tree of folders that packages are installed in. A package finds another one inside its own folder, or
 * else beside itself, beside what is around it, and so on.
 */
export interface Place {
  readonly around: Place | undefined;
  readonly inside: Map<string, Place>;
  readonly depth: number;
  /** What the file says of the package there. */
  entry?: SyntaxNode;
}

/** Paths are not that long on any machine. */
const deepest = 100;

/** An outermost place; without packages beside it unless it is within another one. */
export const newPlace = (around?: Place): Place => {
  const depth = around ? around.depth + 1 : 0;
  if (depth > deepest) {
    throw new UnreadableDependencyFileError(
      `Its packages nest deeper than ${deepest} folders. Have the tool that wrote it write it anew.`,
    );
  }
  return { around, inside: new Map(), depth };
};

/** The place of that name inside another one, which is made where there is none. */
export const placeInside = (place: Place, name: string): Place => {
  const known = place.inside.get(name);
  if (known) return known;
  const made = newPlace(place);
  place.inside.set(name, made);
  return made;
};

/** The package that one in this place finds under that name. */
export const findFrom = (place: Place, name: string): Place | undefined => {
  for (let at: Place | undefined = place; at; at = at.around) {
    const found = at.inside.get(name);
    if (found?.entry) return found;
  }
  return undefined;
};
