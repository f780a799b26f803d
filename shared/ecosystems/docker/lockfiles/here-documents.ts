import { groupBy } from '../../../util/group-by.ts';
import { parseJson } from '../../../util/json.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import { splitWords } from './split-words.ts';

/** A text inside of an instruction, such as `<<-EOT`: what follows up to that word is no instruction. */
interface HereDocument {
  readonly end: string;
  /** Whether tabs may stand before its end. */
  readonly isIndented: boolean;
}

const withDocuments = /^\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i;
const keywordAndFlags = /^\s*(?:ONBUILD\s+)?[a-z]+\s+(?:--\S+\s+)*/i;

/** Returns true for a list of words as JSON, which has no documents. `[ -f x ]` is none. */
const isList = (text: string): boolean => {
  const list = parseJson(text.replace(keywordAndFlags, ''));
  return Array.isArray(list) && list.every((one) => typeof one === 'string');
};

const refuse = (line: number): UnreadableDependencyFileError =>
  new UnreadableDependencyFileError(
    `What follows << in line ${line} cannot be understood, so that nobody can tell where it ends. Name it by letters alone: <<EOT`,
  );

const readWord = (word: string, line: number): HereDocument[] => {
  if (!word.includes('<<')) return [];
  const [, dash, , end] = /^\d*<<(-?)(["']?)([A-Za-z_][\w.]*)\2$/.exec(word) ?? [];
  if (end !== undefined) return [{ end, isIndented: dash === '-' }];
  // Escapes, variables and quotes inside of a word may make any word of it.
  if (/^\d*<<-?[^<]+$|\\|\$\{/.test(word)) throw refuse(line);
  return [];
};

const listDocuments = (text: string, line: number): HereDocument[] => {
  if (!text.includes('<<') || !withDocuments.test(text) || isList(text)) return [];
  if (/\\["']/.test(text)) throw refuse(line);
  return splitWords(text).flatMap((word) => readWord(word, line));
};

const dropTabs = (line: string): string => line.replace(/^\t+/, '');

/** Finds where the documents end that begin in an instruction, as the number of the next line from 0. */
export type DocumentSkipper = (text: string, start: number) => number;

/**
 * Prepares to skip the documents in the lines of a Dockerfile. One without an end is refused, as BuildKit does it.
 * Source: `heredocsFromLine` of BuildKit.
 */
export const prepareDocuments = (lines: readonly string[]): DocumentSkipper => {
  const ends = groupBy([...lines.keys()], (at) => dropTabs(lines[at] ?? ''));
  return (text, start) => {
    let next = start;
    for (const { end, isIndented } of listDocuments(text, start)) {
      const at = ends.get(end)?.find((one) => one >= next && (isIndented || lines[one] === end));
      if (at === undefined) throw refuse(start);
      next = at + 1;
    }
    return next;
  };
};
