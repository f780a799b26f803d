import { refuseInvalid } from '../errors.ts';
import { toSkeleton } from '../packages/look-alikes.ts';
import type { Actor, Caller } from './actor.ts';

/** Caller that gives a name in a request, with the labels that it could imitate. */
export interface NameGiver {
  readonly actor: Actor & Pick<Caller, 'issuer'>;
  /** Labels of all accepted tokens. The array is the cache key, so one request must pass the same object. */
  readonly labels: readonly string[];
}

interface GivenName {
  readonly field: string;
  readonly name: string | null | undefined;
}

const folded = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

/** Returns labels by their visual skeleton. */
const foldLabels = (labels: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const known = folded.get(labels) ?? Map.groupBy(labels, toSkeleton);
  folded.set(labels, known);
  return known;
};

/** Returns the labels that are or look like a name. */
export const findAlikeLabels = (name: string, labels: readonly string[]): readonly string[] =>
  foldLabels(labels).get(toSkeleton(name)) ?? [];

/** Returns the labels of other tokens that look like a name. */
const findAlike = (name: string, { actor, labels }: NameGiver): readonly string[] =>
  findAlikeLabels(name, labels).filter((label) => label !== actor.label);

const refuseAlike = (field: string) =>
  refuseInvalid(
    field,
    'looks like the label of another token. Leave it out to show the label of your token, or give a name that cannot be mistaken for a label.',
  );

/**
 * Checks that the name of a decider cannot be mistaken for someone else. With four eyes, and for a person who signed in with an
 * account, only the caller's own label is allowed: it identifies the decider. Otherwise, names that look like another token's
 * label are refused.
 * @throws {RegistryError} `validation_failed`
 */
export const checkDeciderName = (
  { field, name }: GivenName,
  giver: NameGiver,
  { fourEyes = false }: { readonly fourEyes?: boolean | undefined },
): void => {
  const { label, issuer } = giver.actor;
  if (name === null || name === undefined || name === label) return;
  if ((fourEyes || issuer !== undefined) && label !== null) {
    const [whose, why] =
      issuer === undefined
        ? ['your token', 'this registry requires four eyes']
        : ['your account', 'an ID token identifies you'];
    throw refuseInvalid(
      field,
      `must be ${JSON.stringify(label)}, the label of ${whose}, or be left out: ${why}, so the label identifies the decider.`,
    );
  }
  if (findAlike(name, giver).length > 0) throw refuseAlike(field);
};

const fold = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/**
 * Checks that the name of a submitter does not imitate the label of another token. The exact label is allowed: programs
 * submit for people, and the label of the program's token is shown beside it.
 * @throws {RegistryError} `validation_failed`
 */
export const checkSubmitterName = ({ field, name }: GivenName, giver: NameGiver): void => {
  if (name === null || name === undefined || name === giver.actor.label) return;
  const alike = findAlike(name, giver);
  if (alike.length > 0 && !alike.some((label) => fold(label) === fold(name))) {
    throw refuseAlike(field);
  }
};
