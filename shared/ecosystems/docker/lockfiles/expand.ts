/** Returns the value of a variable; undefined if the variable is not set. */
export type Lookup = (name: string) => string | undefined;

/** Limits of nesting depth and of text length, in characters. Nested variables could fill the memory. */
const deepest = 20;
const longest = 4096;

/** Returns the offset of the brace that closes the one before `start`; -1 if it is missing. */
const findEnd = (text: string, start: number): number => {
  let open = 1;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') open += 1;
    else if (text[at] === '}') open -= 1;
    if (open === 0) return at;
  }
  return -1;
};

/**
 * Returns the value of `NAME`, `NAME:-default`, `NAME-default`, `NAME:+other` or `NAME+other`. Other operators, such as
 * `NAME:?error`, are not supported.
 */
const expandBraced = (inner: string, lookup: Lookup, depth: number): string | undefined => {
  const [, name = '', operator, word = ''] = /^(\w+)(?:(:?[-+])(.*))?$/s.exec(inner) ?? [];
  const value = lookup(name);
  const isSet = operator?.startsWith(':') ? Boolean(value) : value !== undefined;
  if (operator?.endsWith('-')) return isSet ? value : expand(word, lookup, depth + 1);
  if (operator?.endsWith('+')) return isSet ? expand(word, lookup, depth + 1) : '';
  return value;
};

/**
 * Replaces variables in the syntax of Dockerfiles and Compose files. Returns undefined if a variable has no value, or
 * the text exceeds a limit.
 */
export const expand = (text: string, lookup: Lookup, depth = 0): string | undefined => {
  if (!text.includes('$')) return text;
  if (depth > deepest) return undefined;
  let result = '';
  let at = 0;
  for (let start = text.indexOf('$'); start >= 0; start = text.indexOf('$', at)) {
    const isBraced = text[start + 1] === '{';
    const end = isBraced ? findEnd(text, start + 2) : -1;
    if (isBraced && end < 0) return undefined;
    const [name = ''] = /^\w+/.exec(text.slice(start + 1, start + longest)) ?? [];
    const value = isBraced ? expandBraced(text.slice(start + 2, end), lookup, depth) : lookup(name);
    if (value === undefined) return undefined;
    result += text.slice(at, start) + value;
    if (result.length > longest) return undefined;
    at = isBraced ? end + 1 : start + 1 + name.length;
  }
  return result + text.slice(at);
};
