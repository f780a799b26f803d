import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import { readDirectives } from './directives.ts';
import { prepareDocuments } from './here-documents.ts';
import { splitWords } from './split-words.ts';

/** One instruction of a Dockerfile, such as `FROM --platform=linux/amd64 node:22 AS build`. */
export interface Instruction {
  /** In capitals. */
  readonly keyword: string;
  /** `platform=linux/amd64` as its name and its value. */
  readonly flags: readonly (readonly [name: string, value: string])[];
  /** What follows the flags, in words. */
  readonly words: readonly string[];
  /** From 1: where it begins. */
  readonly line: number;
}

/** Quotes and escapes do not change what a name is. */
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

/** The text of a line that goes on with the next one, without the stroke; undefined if the line ends there. */
const findContinued = (line: string, stroke: string): string | undefined => {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end -= 1;
  // Two strokes are one that is escaped.
  const goesOn = line[end - 1] === stroke && line[end - 2] !== stroke;
  return goesOn ? line.slice(0, end - 1) : undefined;
};

/** Carriage returns at the end belong to the end of the line. */
const dropReturns = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
};

/** Blanks to Go and not to JavaScript, and the other way round. */
const checkBlanks = (text: string): void => {
  if (!/[\u0085\ufeff]/.test(text)) return;
  throw new UnreadableDependencyFileError(
    'It has a character (U+0085 or U+FEFF) that is a blank for some tools and none for others: remove it.',
  );
};

/**
 * Returns the instructions of a Dockerfile: without comments, and with the lines that are continued, as BuildKit joins
 * them. The package that parses them needs Node.js. Source: `parser.go` of BuildKit.
 * @throws {UnreadableDependencyFileError} if nobody can tell where a text in it ends
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
