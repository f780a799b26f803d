import stringWidth from 'string-width';

/** What could move the cursor, change colours or turn text around: packages are described by strangers. */
const unsafe = /[^\P{Cc}\n]|\p{Bidi_Control}/gu;

/** Text from the registry as a terminal may show it. */
export const printable = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(unsafe, '\u{fffd}');

/** The same on one line. */
export const oneLine = (text: string): string => printable(text.replace(/\s+/g, ' ').trim());

/** How many columns a terminal gives the text. */
export const widthOf = (text: string): number => stringWidth(text);

const graphemes = new Intl.Segmenter();

const brokenAt = (word: string, width: number): string[] => {
  if (width === Number.POSITIVE_INFINITY) return [word];
  const lines = [''];
  for (const { segment } of graphemes.segment(word)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && widthOf(line + segment) > width) lines.push(segment);
    else lines[lines.length - 1] = line + segment;
  }
  return lines;
};

/** The text in lines no wider than that, broken at blanks where it can be; lines of its own are kept. */
export const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const part of paragraph.split(' ').flatMap((word) => brokenAt(word, width))) {
      const longer = line === '' ? part : `${line} ${part}`;
      if (widthOf(longer) <= width) line = longer;
      else {
        lines.push(line);
        line = part;
      }
    }
    lines.push(line);
  }
  return lines;
};

const acronyms = new Map([
  ['cvss', 'CVSS'],
  ['id', 'ID'],
  ['url', 'URL'],
]);

/** A field's name for people: `submitted_by` is `Submitted by`. */
export const labelOf = (name: string): string => {
  const label = oneLine(name.replaceAll('_', ' '));
  return acronyms.get(name) ?? `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
};
