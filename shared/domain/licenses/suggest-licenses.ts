import {
  countSlips,
  type Distinction,
  distinguishText,
  openSpellings,
  type Spelling,
} from './distinguish-name.ts';
import { findCurrentLicense } from './license-id.ts';
import { findVersion } from './normalize/normalize-words.ts';

const mostSuggested = 3;
/** Longest text, in characters, for which licenses are suggested. Longer texts are no typos and are slow to compare. */
const maxLength = 64;
/** Shortest name that matches without its version. Shorter names are too easily another license. */
const shortestName = 3;

interface Candidate {
  readonly license: string;
  readonly slips: number;
  readonly hasVersion: boolean;
}

/** True if a name without version stands for a family of licenses, such as `GPL`. `GPL 4` then suggests every GPL. */
const isFamily = ({ versions, core }: Spelling): boolean =>
  versions === '' && core.length >= shortestName;

/**
 * Returns the number of typos between a text and a license name, or Infinity if the names differ. An SPDX identifier
 * must match in full. Of other names, no common word may be missing: Microsoft's own license is not its public one.
 */
const countSlipsBetween = (text: Distinction, name: Spelling): number => {
  if (name.isId) {
    return text.versions === name.versions ? countSlips(text.full, name.full) : Infinity;
  }
  return name.common.every((word) => text.common.includes(word))
    ? countSlips(text.core, name.core)
    : Infinity;
};

const compare = (text: Distinction, name: Spelling): Candidate[] => {
  const slips = countSlipsBetween(text, name);
  if (slips === Infinity) return [];
  return name.licenses
    .map((license) => {
      const versions = name.versions || (text.versions && (findVersion(license) ?? ''));
      return { license, slips, hasVersion: text.versions === versions };
    })
    .filter(({ hasVersion }) => hasVersion || isFamily(name));
};

const chooseBest = (candidates: readonly Candidate[]): Candidate[] => {
  const fewest = Math.min(...candidates.map(({ slips }) => slips));
  const closest = candidates.filter(({ slips }) => slips === fewest);
  const exact = closest.filter(({ hasVersion }) => hasVersion);
  return exact.length > 0 ? exact : closest;
};

/**
 * Returns up to three licenses that an unknown license text probably means. The text may differ from the license's name
 * in typos and in words that distinguish no license. `Not MIT` and `MIT, Future` suggest nothing: a wrong license is
 * worse than none.
 */
export const suggestLicenses = (text: string): string[] => {
  const wanted = distinguishText(text);
  if (wanted.core === '' || wanted.full.length > maxLength) return [];
  const candidates = openSpellings().spellings.flatMap((name) => compare(wanted, name));
  const meant = chooseBest(candidates).map(({ license }) => findCurrentLicense(license) ?? license);
  return [...new Set(meant)].slice(0, mostSuggested);
};
