import { isUtf8 } from 'node:buffer';

/** How the content of a file is shown. Only `text` is shown line by line; the others are named. */
export const contentKinds = ['text', 'minified', 'large', 'binary'] as const;
export type ContentKind = (typeof contentKinds)[number];

/** Maximum size of a file that is shown. */
const mostBytes = 1_000_000;
/** Maximum number of lines of a file that is shown: the comparison takes time for each. */
const mostLines = 20_000;
/** The length in characters from which a line counts as minified. */
const longLine = 500;

/** Returns whether more than half of a text is in long lines. */
const isMinified = (lines: readonly string[]): boolean => {
  let [all, long] = [0, 0];
  for (const { length } of lines) {
    all += length;
    if (length > longLine) long += length;
  }
  return long * 2 > all;
};

/** Returns how the content of a file is shown. A file that runs at installation is shown even if it is minified. */
export const classifyContent = (content: Buffer, runsAtInstall: boolean): ContentKind => {
  if (content.includes(0) || !isUtf8(content)) return 'binary';
  if (content.length > mostBytes) return 'large';
  const lines = content.toString('utf8').split('\n');
  if (lines.length > mostLines) return 'large';
  return !runsAtInstall && isMinified(lines) ? 'minified' : 'text';
};
