import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { findMajor } from './major-version.ts';
import type { Reach } from './reach.ts';

/** Returns the first three numbers of a version, from its first number on; missing ones are 0. */
const readFirstNumbers = (version: string): readonly number[] => {
  const [first = 0, second = 0, third = 0] = (version.match(/\d+/g) ?? []).map(Number);
  return [first, second, third];
};

/**
 * Returns the step between two versions: the first of their three numbers that differs. Undefined for versions with equal
 * numbers, for one without a number, and for tags of images. An epoch of PyPI counts as the first number.
 */
export const findStep = (ecosystem: Ecosystem, from: string, to: string): Reach | undefined => {
  const majors = [from, to].map((version) => findMajor(ecosystem, version));
  if (majors.includes(undefined)) return undefined;
  const [before, after] = [from, to].map(readFirstNumbers);
  const at = before?.findIndex((number, place) => number !== after?.[place]) ?? -1;
  return (['major', 'minor', 'patch'] as const)[at];
};
