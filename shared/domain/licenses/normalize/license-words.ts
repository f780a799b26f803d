/** Abbreviations that are often followed directly by a version: `GPLv3`, `Apache2`. */
const abbreviations =
  '(?:gnu|affero)?a?gpl|el|elastic|by|nc|nd|sa|lgpl|gfdl|fdl|apache|asl|al|mpl|epl|edl|eupl|cddl|cpl|cpal|osl|nposl|afl|bsd|bsl|busl|psf|zpl|sspl|upl|ofl|rsal|artistic|cecill';

const versionBehind = new RegExp(`\\b(${abbreviations})(?:v|ver|version)?(\\d)`, 'g');

const laterVersions =
  '(?:at your (?:option|choice)[\\s,)]*)?(?:any )?(?:later|newer|higher|greater|above)\\b';
const later = new RegExp(`\\b(?:(?:or|and)\\b[\\s,(]*)?${laterVersions}`, 'g');
const orLater = new RegExp(`\\b(?:or|and)\\b[\\s,(]*${laterVersions}`, 'i');

/** True if a text contains "or later", where "or" offers no other license. */
export const saysOrLater = (text: string): boolean => orLater.test(text);

/** Normalizes versions: `2`, `2.0`, `2.0.0`, `v2` and `version 2` are equal. */
const spellVersions = (text: string): string =>
  text
    .replace(versionBehind, '$1 $2')
    .replace(/\bv(?:er(?:s(?:ion)?)?)?\.?\s*(?=\d)/g, '')
    .replace(/\b(?:version|ver|vers|v)\b/g, ' ')
    .replace(/\b(\d+(?:\.\d+)*?)(?:\.0)+\b(?!\.\d)/g, '$1');

/** Abbreviations of the elements in license names, such as those of Creative Commons. */
const elements: readonly (readonly [RegExp, string])[] = [
  [/\bcreative ?commons\b/g, 'cc'],
  [/\battribution\b/g, 'by'],
  [/\bnon ?commercial\b/g, 'nc'],
  [/\bshare ?alike\b/g, 'sa'],
  [/\bno ?deriv(?:ative)?s?(?: works)?\b/g, 'nd'],
  [/\b(?:international|unported|generic)\b/g, ' '],
];

const abbreviate = (text: string): string =>
  elements.reduce((result, [name, element]) => result.replace(name, element), text);

/**
 * Returns the words of a license's name in lower case, with normalized punctuation and versions. `orlater` replaces all
 * spellings of "or later".
 */
export const splitWords = (text: string): string[] => {
  const plain = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .replace(/_/g, ' ')
    // A-GPL, A/GPL, and A GPL at the start, where "A" is no article.
    .replace(/\ba[-/](?=gpl)|^\s*a (?=gpl)/g, 'a')
    // A.G.P.L.
    .replace(/\b(?:[a-z]\.){2,}(?:[a-z]\b)?/g, (dotted) => dotted.replaceAll('.', ''))
    .replace(/\bhttps?:\/\/|\.(?:html?|txt|php|md)\b/g, ' ')
    .replace(/licence/g, 'license')
    .replace(/\band\s*\/\s*or\b/g, 'and')
    .replace(/\bw\//g, 'with ')
    .replace(/(\d|gpl)\s?\+(?!\s?\w)/g, '$1 or later ')
    .replace(later, ' orlater ');
  return abbreviate(spellVersions(plain).replace(/(?<!\d)\.|\.(?!\d)|[^\p{L}\p{N}.]+/gu, ' '))
    .split(' ')
    .filter((word) => word !== '');
};

/** True if a word is a version number. */
export const isVersion = (word: string): boolean => /^\d+(?:\.\d+)*$/.test(word);
