import stringWidth from 'string-width';

/** Characters that could move the cursor, change colours or reverse text: descriptions come from strangers. */
const unsafe = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;

/** Makes text from the registry safe for a terminal: it keeps line breaks, and no other control character. */
export const toPrintable = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(unsafe, '\u{fffd}');

/** Makes text from the registry safe for a terminal, on one line. */
export const toOneLine = (text: string): string => toPrintable(text.replace(/\s+/g, ' ').trim());

/** Characters that a terminal does not show as they are: controls besides tabs, blanks of other scripts, and invisible ones. */
const hidden = /[^\P{C}\t]|[^\P{Z} ]|\p{Default_Ignorable_Code_Point}/gu;

const nameCharacter = (character: string): string =>
  `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;

/** Shows hidden characters of one line by their code points, such as `<U+202E>`, so that a reviewer sees them. */
export const showHidden = (line: string): string => line.replace(hidden, nameCharacter);

/** Formats a count, such as `1,000`. */
export const formatCount = (count: number): string => count.toLocaleString('en');

/** Returns the number of columns that text takes in a terminal. */
export const measureWidth = (text: string): number => stringWidth(text);

const graphemes = new Intl.Segmenter();

const breakWord = (word: string, width: number): string[] => {
  if (width === Number.POSITIVE_INFINITY) return [word];
  const lines = [''];
  for (const { segment } of graphemes.segment(word)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && measureWidth(line + segment) > width) lines.push(segment);
    else lines[lines.length - 1] = line + segment;
  }
  return lines;
};

/** Wraps text to a width, at blanks if possible. Keeps its line breaks. */
export const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const part of paragraph.split(' ').flatMap((word) => breakWord(word, width))) {
      const longer = line === '' ? part : `${line} ${part}`;
      if (measureWidth(longer) <= width) line = longer;
      else {
        lines.push(line);
        line = part;
      }
    }
    lines.push(line);
  }
  return lines;
};

/** Shortens a line to a width; an ellipsis replaces its end. */
export const shorten = (line: string, width: number): string => {
  if (measureWidth(line) <= width) return line;
  const [beginning = ''] = wrap(line, Math.max(1, width - 1));
  return `${beginning}…`;
};

const acronyms = new Map([
  ['cvss', 'CVSS'],
  ['cvss_score', 'CVSS score'],
  ['epss', 'EPSS'],
  ['id', 'ID'],
  ['url', 'URL'],
  ['url_from', 'URL from'],
]);

/** Returns the label of a field: `Submitted by` for `submitted_by`. */
export const toLabel = (name: string): string => {
  const label = toOneLine(name.replaceAll('_', ' '));
  return acronyms.get(name) ?? `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
};
