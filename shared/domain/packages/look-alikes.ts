import { dropHiddenCharacters } from '../../util/characters.ts';

/**
 * Characters by the ASCII character that they look like, in lower case. `i`, `1` and `l` are equal, as are `o` and `0`.
 * Source: confusables.txt of Unicode Technical Standard 39, limited to common scripts, plus small capitals. Characters
 * that NFKC maps to ASCII, such as full-width letters, are not listed.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  '-': '˗‐‒–—⁃−➖Ⲻ',
  '.': 'ꓸ',
  ':': '։᛬⁚˸꞉∶ːꓽ',
  '/': '᜵⁁⁄∕╱⟋⧸Ⳇ〳ノ㇓丿𝈺',
  '\\': '∖⟍⧵⧹㇔丶𝈏𝈻',
  2: 'ƧϨꙄꝚ',
  3: 'ƷȜЗӠⳌꝪꞫ',
  4: 'Ꮞ',
  5: 'Ƽ',
  6: 'бᏮⳒ',
  8: 'Ȣȣ',
  9: 'ⳊꝮ',
  a: 'ɑΑαАаᎪ⍺ꓮᴀ',
  b: 'ƄΒВЬᏏᏴꓐꞴʙ',
  c: 'ΣςСсᏟᴄⲤⲥꓚꮯ',
  d: 'ԁᎠᏧꓒꓓᴅ',
  e: 'ΕЕеҽᎬ℮⋿ꓰꬲᴇ',
  f: 'ϜքẝꓝꞘꞙꬵꜰ',
  g: 'ƍɡԌցᏀᏳᶃꓖɢ',
  h: 'ΗНһհᎻᏂⲎꓧʜ',
  j: 'ͿϳЈјᎫꓙꞲᴊ',
  k: 'ΚКᏦⲔꓗᴋ',
  l: 'İıƖǀɩɪΙιІіӀӏᎥᏞ∣⍳⏽│ⲒⳐꓡꓲꙇꭵʟ',
  m: 'ΜϺМᎷⲘꓟᴍ',
  n: 'ΝոռⲚꓠɴ',
  o: 'ΟοσОоՕօჿᴏᴑⲞⲟꓳꬽ',
  p: 'ΡρРрᏢ⍴Ⲣⲣꓑᴘ',
  q: 'ԛգզ',
  r: 'ƦгᎡᏒᴦⲅꓣꭇꭈꮁ',
  s: 'ƽЅѕՏᏕᏚꓢꜱꮪ',
  t: 'ΤТᎢ⊤⟙Ⲧꓔ',
  u: 'ʋυՍսᴜ∪⋃ꓴꞟꭎꭒ',
  v: 'νѴѵᏙᴠ∨⋁ꓦꮩ',
  w: 'ɯѡԜԝաᎳᏔᴡꓪꮃ',
  x: '×ΧХх╳⤫⤬⨯ⲬꓫꞳ',
  y: 'ɣʏΥγУуҮүყᎩᎽᶌỿⲨꓬꭚ',
  z: 'ΖᏃᴢꓜꮓ',
};

const prototypes = new Map<string, string>([
  ...['i', '1', '|'].map((one) => [one, 'l'] as const),
  ['0', 'o'],
  // Overlays, which strike through the preceding character.
  ...['\u0337', '\u0338'].map((overlay) => [overlay, '/'] as const),
  ...Object.entries(lookAlikes).flatMap(([ascii, others]) =>
    [...others].map((other) => [other, ascii] as const),
  ),
]);

const foldCharacter = (character: string): string =>
  prototypes.get(character) ??
  prototypes.get(character.toUpperCase()) ??
  prototypes.get(character.toLowerCase()) ??
  character.toLowerCase();

/** Returns a text in lower case with each look-alike replaced by its ASCII character. */
export const foldLookAlikes = (text: string): string =>
  [...text.normalize('NFKC')].map(foldCharacter).join('');

/** True if a character is, or looks like, a slash or backslash. Letters are excluded. */
const isSlash = (character: string): boolean =>
  !/\p{L}/u.test(character) && /[/\\]/.test(foldCharacter(character));

/** True if a text contains a slash, a backslash or a look-alike of them. */
export const hasSlash = (text: string): boolean => [...text.normalize('NFKC')].some(isSlash);

/**
 * Returns the visual skeleton of a name (UTS 39). Names that look alike have the same skeleton, regardless of case,
 * blanks, scripts or invisible characters. Use it for comparison only.
 */
export const toSkeleton = (name: string): string =>
  foldLookAlikes(dropHiddenCharacters(name))
    .replaceAll('l\u0307', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[\s\u2800]/g, '');
