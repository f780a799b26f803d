import { groupBy } from '../../domain/group-by.ts';

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

interface Directives {
  readonly escape: string;
  /** The image of the frontend. */
  readonly syntax: { readonly image: string; readonly line: number } | undefined;
}

const directive = /^#\s*([a-z][\w-]*)\s*=\s*(\S+)\s*$/i;
const word = /(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g;
/** `<<EOT`, `<<-"EOT"`: what follows up to that word is text, and no instruction. */
const hereDocument = /(?:^|\s)\d*<<-?(["']?)([A-Za-z_][\w.]*)\1(?=\s|$)/g;
const withDocuments = /^\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i;

/** What the comments at the very top set. */
export const readDirectives = (lines: readonly string[]): Directives => {
  const found = new Map<string, { readonly image: string; readonly line: number }>();
  for (const [at, line] of lines.entries()) {
    const [, name, value] = directive.exec(line) ?? [];
    if (name === undefined || value === undefined) break;
    found.set(name.toLowerCase(), { image: value, line: at + 1 });
  }
  return { escape: found.get('escape')?.image ?? '\\', syntax: found.get('syntax') };
};

const dropQuotes = (text: string): string => text.replace(/["']/g, '');

const toInstruction = (text: string, line: number): Instruction => {
  const [keyword = '', ...words] = text.match(word) ?? [];
  if (keyword.toUpperCase() === 'ONBUILD') {
    return toInstruction(text.replace(/^\s*ONBUILD/i, ''), line);
  }
  const count = words.findIndex((one) => !one.startsWith('--'));
  const flags = words.slice(0, count < 0 ? words.length : count).map((flag) => {
    const [, name = '', value = ''] = /^--([^=]*)=?(.*)$/s.exec(flag) ?? [];
    return [name, dropQuotes(value)] as const;
  });
  const rest = words.slice(flags.length).map(dropQuotes);
  return { keyword: keyword.toUpperCase(), flags, words: rest, line };
};

/** Where the documents end that begin in an instruction, as the number of the next line; what has no end is none. */
const skipDocuments = (
  text: string,
  start: number,
  places: ReadonlyMap<string, readonly number[]>,
): number => {
  if (!withDocuments.test(text)) return start;
  let next = start;
  for (const [, , end = ''] of text.matchAll(hereDocument)) {
    next = (places.get(end)?.find((at) => at >= next) ?? next - 1) + 1;
  }
  return next;
};

/** Where each line stands that may end a document. */
const indexEnds = (lines: readonly string[]): Map<string, number[]> => {
  const ends = [...lines.keys()].filter((at) => /^\s*[A-Za-z_][\w.]*\s*$/.test(lines[at] ?? ''));
  return groupBy(ends, (at) => (lines[at] ?? '').trim());
};

/**
 * The instructions of a Dockerfile: without comments, and with the lines that are continued. The package that parses
 * them needs Node.js.
 */
export const splitInstructions = (lines: readonly string[]): Instruction[] => {
  const { escape: stroke } = readDirectives(lines);
  const ends = indexEnds(lines);
  const instructions: Instruction[] = [];
  let parts: string[] = [];
  let begun = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const content = (lines[at] ?? '').trimEnd();
    if (/^\s*(?:#|$)/.test(content)) continue;
    if (parts.length === 0) begun = at + 1;
    const goesOn = content.endsWith(stroke);
    parts.push(goesOn ? content.slice(0, -1) : content);
    if (goesOn && at + 1 < lines.length) continue;
    const text = parts.join('');
    instructions.push(toInstruction(text, begun));
    at = skipDocuments(text, at + 1, ends) - 1;
    parts = [];
  }
  if (parts.length > 0) instructions.push(toInstruction(parts.join(''), begun));
  return instructions;
};
