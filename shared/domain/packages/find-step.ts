import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { findMajor } from './major-version.ts';
import type { Reach } from './reach.ts';

/** Matches the release numbers of a version behind an epoch, if any: those of a pre-release, a build or a qualifier follow them. */
const releaseNumbers = /^[^\d]*(?:(\d+)!)?(\d+(?:\.\d+)*)/;

/** Returns the epoch of a version and its first three release numbers; missing ones are 0. */
const readReleaseNumbers = (version: string): readonly number[] => {
  const [, epoch = '0', release = ''] = releaseNumbers.exec(version) ?? [];
  const [first = 0, second = 0, third = 0] = release.split('.').map(Number);
  return [Number(epoch), first, second, third];
};

/**
 * Returns the step between two versions: the first of their three release numbers that differs. Another epoch of PyPI is a major
 * step. Undefined for versions with equal numbers, such as a pre-release, for one without a number, and for tags of images.
 */
export const findStep = (ecosystem: Ecosystem, from: string, to: string): Reach | undefined => {
  const majors = [from, to].map((version) => findMajor(ecosystem, version));
  if (majors.includes(undefined)) return undefined;
  const [before, after] = [from, to].map(readReleaseNumbers);
  const at = before?.findIndex((number, place) => number !== after?.[place]) ?? -1;
  return (['major', 'major', 'minor', 'patch'] as const)[at];
};
