/**
 * Text functions with the semantics of Python. JavaScript's white space has U+FEFF, but lacks U+0085 and U+001C to
 * U+001F. So a comment in one language may be a package in the other.
 */

/** Line ends of `str.splitlines()`. A carriage return followed by a line feed is one line end. */
const lineEnds = '\n\v\f\r\u001c\u001d\u001e\u0085\u2028\u2029';
const lineEnd = new RegExp(`\r\n|[${lineEnds}]`);

/** White space of `str.isspace()`: the line ends and these characters. */
const blanks = new Set(`${lineEnds}\t\u001f \u00a0\u1680\u202f\u205f\u3000`);
for (let code = 0x2000; code <= 0x200a; code += 1) blanks.add(String.fromCharCode(code));

const isBlank = (character: string | undefined): boolean =>
  character !== undefined && blanks.has(character);

/** Returns the lines of a text as `str.splitlines()` does. */
export const splitPythonLines = (text: string): string[] => text.split(lineEnd);

/** Returns the text without leading and trailing white space, as `str.strip()` does. */
export const stripBlanks = (text: string): string => {
  let [start, end] = [0, text.length];
  while (start < end && isBlank(text[start])) start += 1;
  while (end > start && isBlank(text[end - 1])) end -= 1;
  return text.slice(start, end);
};

/** Returns the index of a line's comment: a `#` at the start or after white space; -1 if there is none. */
export const findComment = (line: string): number => {
  let at = line.indexOf('#');
  while (at > 0 && !isBlank(line[at - 1])) at = line.indexOf('#', at + 1);
  return at;
};
