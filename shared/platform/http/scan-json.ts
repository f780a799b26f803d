import { isPrototypeKey, parseJson } from '../../util/json.ts';

const quote = 0x22;
const backslash = 0x5c;
/** Code of `[` and `{` without the bit in which they differ; `closing` is that of `]` and `}`. */
const opening = 0x5b;
const closing = 0x5d;
const braceBit = 0x20;
const colon = 0x3a;

/** Properties of a JSON text that a parser does not report. */
export interface JsonTraits {
  /** Nesting depth of objects and lists; for a too deep text, the first depth above the limit. */
  readonly nesting: number;
  /** First key that occurs twice in one object; a parser would use its last value. */
  readonly repeatedKey?: string;
  /** First key that could pollute prototypes: `__proto__`, or `prototype` inside `constructor`. */
  readonly prototypeKey?: string;
}

/** An open object or list; a list never has keys. */
interface Level {
  /** Key whose value this object or list is. */
  readonly owner: string | undefined;
  keys?: Set<string>;
}

const isBlank = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
};

/** Returns the index of the closing quote of the string at `from`; the end of the text or beyond, without a closing quote. */
const findStringEnd = (text: string, from: number): number => {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    at += code === backslash ? 2 : 1;
  }
  return at;
};

const readKey = (text: string, from: number, to: number): string => {
  const written = text.slice(from + 1, to);
  return written.includes('\\') ? String(parseJson(`"${written}"`)) : written;
};

/**
 * Returns the traits of a JSON text, up to its first fault. Runs once in linear time, before the parser, which is slow for
 * deeply nested brackets. For a text that is no JSON, the result is meaningless.
 */
export const scanJson = (text: string, maxNesting: number): JsonTraits => {
  const levels: Level[] = [];
  let lastKey: string | undefined;
  let nesting = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const bracket = code & ~braceBit;
    if (bracket === opening) {
      levels.push({ owner: lastKey });
      lastKey = undefined;
      nesting = Math.max(nesting, levels.length);
      if (nesting > maxNesting) return { nesting };
    } else if (bracket === closing) {
      levels.pop();
      // The next item of a list belongs to no key.
      lastKey = undefined;
    } else if (code === quote) {
      const end = findStringEnd(text, at);
      const level = levels.at(-1);
      if (level && text.charCodeAt(skipBlanks(text, end + 1)) === colon) {
        lastKey = readKey(text, at, end);
        if (isPrototypeKey(lastKey, level.owner)) return { nesting, prototypeKey: lastKey };
        level.keys ??= new Set();
        if (level.keys.has(lastKey)) return { nesting, repeatedKey: lastKey };
        level.keys.add(lastKey);
      }
      at = end;
    }
  }
  return { nesting };
};
