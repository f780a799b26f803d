import { isPrototypeKey, parseJson } from '../../util/json.ts';

const quote = 0x22;
const backslash = 0x5c;
/** What `[` and `{` are without the bit in which they differ, and `]` and `}`. */
const opening = 0x5b;
const closing = 0x5d;
const braceBit = 0x20;
const colon = 0x3a;

/** What a parser does not tell of a JSON text. */
export interface JsonTraits {
  /** How deep objects and lists nest; where that is too deep, the first depth that is. */
  readonly nesting: number;
  /** The first key that one object has twice, of which a parser takes the last. */
  readonly repeatedKey?: string;
  /** The first key that a program could take for part of the language: `__proto__`, or `prototype` of `constructor`. */
  readonly prototypeKey?: string;
}

/** An object or list that is open; a list never gets keys. */
interface Level {
  /** The key that it is the value of. */
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

/** Where the string ends that begins at `from`: at its closing quote, or with the text. */
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
 * Looks through a JSON text once, in time that follows its length, up to the first thing that is wrong. Comes before the
 * parser, which a text of nothing but brackets keeps busy; what it says of a text that is no JSON means nothing.
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
      // What comes next in a list is the value of no key.
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
