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
/** Longer texts are no slips of the pen, and would take long to compare. */
const maxLength = 64;
/** A name of fewer letters is too easily another one where its version is not the same. */
const shortestName = 3;

interface Candidate {
  readonly license: string;
  readonly slips: number;
  readonly hasVersion: boolean;
}

/** Whether any version may be meant: `GPL 4` is some GPL. */
const isFamily = ({ versions, core }: Spelling): boolean =>
  versions === '' && core.length >= shortestName;

/** An identifier is complete as it is; of other names, no common word may be missing: Microsoft's own license is not its public one. */
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
 * Finds what somebody may have meant by a license that is not known: the ones whose name is the whole text but for slips
 * of the pen, and words that distinguish no license. So `Not MIT` and `MIT, Future` suggest nothing: a wrong license is
 * worse than none.
 */
export const suggestLicenses = (text: string): string[] => {
  const wanted = distinguishText(text);
  if (wanted.core === '' || wanted.full.length > maxLength) return [];
  const candidates = openSpellings().spellings.flatMap((name) => compare(wanted, name));
  const meant = chooseBest(candidates).map(({ license }) => findCurrentLicense(license) ?? license);
  return [...new Set(meant)].slice(0, mostSuggested);
};
