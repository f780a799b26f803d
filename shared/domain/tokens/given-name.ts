import { refuseInvalid } from '../errors.ts';
import { toSkeleton } from '../packages/look-alikes.ts';
import type { Actor } from './actor.ts';

/** Who gives a name in a request, and whose name that could be taken for. */
export interface NameGiver {
  readonly actor: Actor;
  /** The labels of all accepted tokens. The same list of one request is the same object: it is folded once. */
  readonly labels: readonly string[];
}

interface GivenName {
  readonly field: string;
  readonly name: string | null | undefined;
}

const folded = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** Labels by how they look. */
const foldLabels = (labels: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const known = folded.get(labels) ?? Map.groupBy(labels, toSkeleton);
  folded.set(labels, known);
  return known;
};

/** The labels of other tokens that a name looks like. */
const findAlike = (name: string, { actor, labels }: NameGiver): readonly string[] =>
  (foldLabels(labels).get(toSkeleton(name)) ?? []).filter((label) => label !== actor.label);

const refuseAlike = (field: string) =>
  refuseInvalid(
    field,
    'looks like the label of a token that is not yours. Leave it out, and the label of your token is shown; or give a name that cannot be taken for a label.',
  );

/**
 * Refuses a name of who decides that could be taken for somebody else. With four eyes that is every name but the
 * token's label, since the label says who decides; else every name that looks like the label of another token.
 * @throws {RegistryError} `validation_failed`
 */
export const checkDeciderName = (
  { field, name }: GivenName,
  giver: NameGiver,
  { fourEyes = false }: { readonly fourEyes?: boolean | undefined },
): void => {
  const { label } = giver.actor;
  if (name === null || name === undefined || name === label) return;
  if (fourEyes && label !== null) {
    throw refuseInvalid(
      field,
      `must be ${JSON.stringify(label)}, the label of your token, or be left out: this registry demands four eyes, so that the label says who decides.`,
    );
  }
  if (findAlike(name, giver).length > 0) throw refuseAlike(field);
};

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/**
 * Refuses a name of who submits that only looks like the label of another token. It may be that label: programs submit for
 * people, and the label of their own token is shown beside it.
 * @throws {RegistryError} `validation_failed`
 */
export const checkSubmitterName = ({ field, name }: GivenName, giver: NameGiver): void => {
  if (name === null || name === undefined || name === giver.actor.label) return;
  const alike = findAlike(name, giver);
  if (alike.length > 0 && !alike.some((label) => fold(label) === fold(name))) {
    throw refuseAlike(field);
  }
};
