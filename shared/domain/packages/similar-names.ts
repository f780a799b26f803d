import { dropNameAffix } from '../../ecosystems/rules.ts';
import { toSkeleton } from './look-alikes.ts';
import type { PackageName } from './package-id.ts';
import { canonicalizeName } from './package-name.ts';

/** Shorter names differ by one letter too often, such as `ws` and `wss`: only look-alikes count for them. */
const minLength = 5;

/** Returns the lower-case letters and digits of a name, without separators and the `@` of a scope. */
const toLetters = ({ ecosystem, name }: PackageName): string => {
  const lower = canonicalizeName(ecosystem, name).toLowerCase();
  const compared = dropNameAffix[ecosystem]?.(lower) ?? lower;
  return compared.replace(/[^a-z0-9]/g, '');
};

const dropDoubles = (text: string): string => text.replace(/([a-z])\1+/g, '$1');

/** True if one text has a letter twice that the other text has once. */
const isDoubled = (one: string, other: string): boolean =>
  Math.abs(one.length - other.length) === 1 && dropDoubles(one) === dropDoubles(other);

/** True if two neighbouring letters of one text are swapped in the other. */
const isSwapped = (one: string, other: string): boolean => {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  const pair = one.slice(at, at + 2);
  const swapped = `${one.slice(0, at)}${[...pair].reverse().join('')}${one.slice(at + 2)}`;
  return /^[a-z]{2}$/.test(pair) && swapped === other;
};

/** Key of a name. Names that resemble each other have equal letters, and lengths that differ by 1 at most. */
export interface NameKey {
  /** Each letter and digit once, in order. Look-alikes are equal. */
  readonly letters: string;
  readonly length: number;
}

/** Returns the key under which a name is found by the names that resemble it. Few other names are near that key. */
export const toNameKey = (name: PackageName): NameKey => {
  const skeleton = toSkeleton(toLetters(name));
  // Two letters that look like one are two here, as a swap can separate them.
  const letters = skeleton.replaceAll('m', 'rn').replaceAll('w', 'v');
  return { letters: [...new Set(letters)].sort().join(''), length: skeleton.length };
};

/**
 * True if two names of an ecosystem can be mistaken for each other. They are equal without separators, the form of a scope
 * (`@types/node`, `types-node`), the suffix `js` on npm and the top-level domain of a Maven group, or also differ by look-alike
 * characters (`l` and `1`, `m` and `rn`), a doubled letter, or two swapped neighbouring letters. Equal names do not resemble
 * each other.
 */
export const resembles = (one: PackageName, other: PackageName): boolean => {
  const { ecosystem } = one;
  if (ecosystem !== other.ecosystem) return false;
  const names = [one, other].map(({ name }) => canonicalizeName(ecosystem, name));
  if (names[0] === names[1]) return false;
  const [first, second] = [toLetters(one), toLetters(other)];
  if (toSkeleton(first) === toSkeleton(second)) return true;
  if (Math.min(first.length, second.length) < minLength) return false;
  return isDoubled(first, second) || isSwapped(first, second);
};
