/**
 * Text as Python takes it apart. JavaScript differs: its blanks have U+FEFF and lack U+0085 and U+001C to U+001F, so that
 * a comment for one of them may be a package for the other.
 */

/** What ends a line for `str.splitlines()`; a carriage return and a line feed after it are one end. */
const lineEnds = '\n\v\f\r\u001c\u001d\u001e\u0085\u2028\u2029';
const lineEnd = new RegExp(`\r\n|[${lineEnds}]`);

/** What `str.isspace()` accepts: the ends of lines, and these. */
const blanks = new Set(`${lineEnds}\t\u001f \u00a0\u1680\u202f\u205f\u3000`);
for (let code = 0x2000; code <= 0x200a; code += 1) blanks.add(String.fromCharCode(code));

const isBlank = (character: string | undefined): boolean =>
  character !== undefined && blanks.has(character);

/** Returns the lines of a text as `str.splitlines()` does. */
export const splitPythonLines = (text: string): string[] => text.split(lineEnd);

/** Returns the text without blanks around it, as `str.strip()` does. */
export const stripBlanks = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
};

/** Returns where the comment of a line begins: at a `#` at its start or after a blank; -1 if it has none. */
export const findComment = (line: string): number => {
  let at = line.indexOf('#');
  while (at > 0 && !isBlank(line[at - 1])) at = line.indexOf('#', at + 1);
  return at;
};
