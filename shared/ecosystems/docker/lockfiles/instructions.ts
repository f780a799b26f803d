import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import { readDirectives } from './directives.ts';
import { prepareDocuments } from './here-documents.ts';
import type { Written } from './image.ts';
import { findWords, type RawWord } from './split-words.ts';

/** One instruction of a Dockerfile, such as `FROM --platform=linux/amd64 node:22 AS build`. */
export interface Instruction {
  /** In capitals. */
  readonly keyword: string;
  /** Flags as pairs of name and value: `platform=linux/amd64` is `['platform', 'linux/amd64']`. */
  readonly flags: readonly (readonly [name: string, value: Written])[];
  /** Words after the flags, without quotes. */
  readonly words: readonly Written[];
  /** First line of the instruction, counted from 1. */
  readonly line: number;
}

/** Removes quotes and escape characters, which do not change a name. */
const dropEscapes = (text: string): string => text.replace(/["'\\`]/g, '');

const dropQuotes = (text: string): string => text.replace(/["']/g, '');

/** A line of an instruction, without its escape character, and its offset in the file. */
interface Piece {
  readonly text: string;
  readonly start: number;
}

/** Returns the offset in the file of a part of an instruction; undefined if the part is on several lines. */
type Locate = (at: number, length: number) => number | undefined;

const prepareLocate =
  (pieces: readonly Piece[]): Locate =>
  (at, length) => {
    let left = at;
    for (const { text, start } of pieces) {
      if (left < text.length) return left + length <= text.length ? start + left : undefined;
      left -= text.length;
    }
    return undefined;
  };

const readFlag = ({ raw, at }: RawWord, locate: Locate): readonly [string, Written] => {
  const plain = dropEscapes(raw);
  const [, name = '', value = ''] = /^--([^=]*)=?(.*)$/s.exec(plain) ?? [];
  const start = plain === raw ? locate(at + raw.length - value.length, value.length) : undefined;
  return [name, { text: value, at: start }];
};

const readWord = ({ raw, at }: RawWord, locate: Locate): Written => {
  const text = dropQuotes(raw);
  const quoted = /^(["'])(.*)\1$/s.exec(raw)?.[2];
  const start = at + (quoted === undefined ? 0 : 1);
  return { text, at: (quoted ?? raw) === text ? locate(start, text.length) : undefined };
};

const toInstruction = (pieces: readonly Piece[], line: number): Instruction => {
  const locate = prepareLocate(pieces);
  const all = findWords(pieces.map(({ text }) => text).join(''));
  const isTrigger = ({ raw }: RawWord): boolean => raw.toUpperCase() === 'ONBUILD';
  const [keyword, ...words] = all.slice(all.findIndex((one) => !isTrigger(one)));
  const count = words.findIndex(({ raw }) => !raw.startsWith('--'));
  const flags = words.slice(0, count < 0 ? words.length : count);
  return {
    keyword: (keyword?.raw ?? '').toUpperCase(),
    flags: flags.map((flag) => readFlag(flag, locate)),
    words: words.slice(flags.length).map((one) => readWord(one, locate)),
    line,
  };
};

/** Returns a line that the next line continues, without its escape character; undefined if the line ends. */
const findContinued = (line: string, stroke: string): string | undefined => {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  // A doubled escape character is an escaped one and does not continue the line.
  const goesOn = line[end - 1] === stroke && line[end - 2] !== stroke;
  return goesOn ? line.slice(0, end - 1) : undefined;
};

/** Returns the offset of each line of a text. */
export const findLineStarts = (lines: readonly string[]): number[] => {
  let next = 0;
  return lines.map((line) => {
    const start = next;
    next += line.length + 1;
    return start;
  });
};

/** Removes carriage returns at the end of a line. */
const dropReturns = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
};

/** Throws if the text has a character that is white space in only one of Go and JavaScript. */
const checkBlanks = (text: string): void => {
  if (!/[\u0085\ufeff]/.test(text)) return;
  throw new UnreadableDependencyFileError(
    'It has a character (U+0085 or U+FEFF) that is a blank for some tools and none for others: remove it.',
  );
};

/**
 * Returns the instructions of a Dockerfile, without comments. Continued lines are joined as in BuildKit. The npm
 * package for this needs Node.js. Source: `parser.go` of BuildKit.
 * @throws {UnreadableDependencyFileError} if the end of a here-document is unclear, or white space is ambiguous
 */
export const splitInstructions = (text: string): Instruction[] => {
  checkBlanks(text);
  const written = text.split('\n');
  const starts = findLineStarts(written);
  const lines = written.map(dropReturns);
  const { escape: stroke } = readDirectives(lines);
  const skipDocuments = prepareDocuments(lines);
  const instructions: Instruction[] = [];
  let pieces: Piece[] = [];
  let begun = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const content = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(content)) continue;
    if (pieces.length === 0) begun = at + 1;
    const continued = findContinued(content, stroke);
    pieces.push({ text: continued ?? content, start: starts[at] ?? 0 });
    if (continued !== undefined && at + 1 < lines.length) continue;
    instructions.push(toInstruction(pieces, begun));
    at = skipDocuments(pieces.map((piece) => piece.text).join(''), at + 1) - 1;
    pieces = [];
  }
  if (pieces.length > 0) instructions.push(toInstruction(pieces, begun));
  return instructions;
};
