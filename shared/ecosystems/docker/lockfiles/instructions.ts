import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import { readDirectives } from './directives.ts';
import { prepareDocuments } from './here-documents.ts';
import { splitWords } from './split-words.ts';

/** One instruction of a Dockerfile, such as `FROM --platform=linux/amd64 node:22 AS build`. */
export interface Instruction {
  /** In capitals. */
  readonly keyword: string;
  /** Flags as pairs of name and value: `platform=linux/amd64` is `['platform', 'linux/amd64']`. */
  readonly flags: readonly (readonly [name: string, value: string])[];
  /** Words after the flags, without quotes. */
  readonly words: readonly string[];
  /** First line of the instruction, counted from 1. */
  readonly line: number;
}

/** Removes quotes and escape characters, which do not change a name. */
const dropEscapes = (text: string): string => text.replace(/["'\\`]/g, '');

const dropQuotes = (text: string): string => text.replace(/["']/g, '');

const toInstruction = (text: string, line: number): Instruction => {
  const [keyword = '', ...words] = splitWords(text);
  if (keyword.toUpperCase() === 'ONBUILD') {
    return toInstruction(text.replace(/^\s*ONBUILD/i, ''), line);
  }
  const count = words.findIndex((one) => !one.startsWith('--'));
  const flags = words.slice(0, count < 0 ? words.length : count).map((flag) => {
    const [, name = '', value = ''] = /^--([^=]*)=?(.*)$/s.exec(dropEscapes(flag)) ?? [];
    return [name, value] as const;
  });
  const rest = words.slice(flags.length).map(dropQuotes);
  return { keyword: keyword.toUpperCase(), flags, words: rest, line };
};

/** Returns a line that the next line continues, without its escape character; undefined if the line ends. */
const findContinued = (line: string, stroke: string): string | undefined => {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  // A doubled escape character is an escaped one and does not continue the line.
  const goesOn = line[end - 1] === stroke && line[end - 2] !== stroke;
  return goesOn ? line.slice(0, end - 1) : undefined;
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
  const lines = text.split('\n').map(dropReturns);
  const { escape: stroke } = readDirectives(lines);
  const skipDocuments = prepareDocuments(lines);
  const instructions: Instruction[] = [];
  let parts: string[] = [];
  let begun = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const content = lines[at] ?? '';
    if (/^\s*(?:#|$)/.test(content)) continue;
    if (parts.length === 0) begun = at + 1;
    const continued = findContinued(content, stroke);
    parts.push(continued ?? content);
    if (continued !== undefined && at + 1 < lines.length) continue;
    const joined = parts.join('');
    instructions.push(toInstruction(joined, begun));
    at = skipDocuments(joined, at + 1) - 1;
    parts = [];
  }
  if (parts.length > 0) instructions.push(toInstruction(parts.join(''), begun));
  return instructions;
};
