import { dropHiddenCharacters } from '../../util/characters.ts';

/**
 * Characters by the ASCII character that they look like, in lower case; `i`, `1` and `l` are one, and so are `o` and `0`.
 * Source: confusables.txt of Unicode Technical Standard 39, of that the common scripts, and the small capitals. What
 * NFKC maps to ASCII by itself, such as full-width letters, is not listed.
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
  // Overlays, which strike through what stands before them.
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

/** A text with each character in place of which a reader could take another one as that other one, in lower case. */
export const foldLookAlikes = (text: string): string =>
  [...text.normalize('NFKC')].map(foldCharacter).join('');

/** Whether a character that is no letter looks like a slash or a backslash, or is one. */
const isSlash = (character: string): boolean =>
  !/\p{L}/u.test(character) && /[/\\]/.test(foldCharacter(character));

/** Whether a text has a slash or a backslash in it, or a sign that looks like one. */
export const hasSlash = (text: string): boolean => [...text.normalize('NFKC')].some(isSlash);

/**
 * A name as a reader sees it: the same for names that look alike, whatever case, blanks, scripts or invisible characters
 * they differ in. For comparison alone: it is no name itself.
 */
export const toSkeleton = (name: string): string =>
  foldLookAlikes(dropHiddenCharacters(name))
    .replaceAll('l\u0307', 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replace(/[\s\u2800]/g, '');
