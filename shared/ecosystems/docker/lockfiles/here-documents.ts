import { groupBy } from '../../../util/group-by.ts';
import { parseJson } from '../../../util/json.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import { splitWords } from './split-words.ts';

/** A here-document of an instruction, such as `<<-EOT`. The lines up to the end word are not instructions. */
interface HereDocument {
  readonly end: string;
  /** True if tabs may precede the end word. */
  readonly isIndented: boolean;
}

const withDocuments = /^\s*(?:ONBUILD\s+)?(?:RUN|COPY|ADD)\s/i;
const keywordAndFlags = /^\s*(?:ONBUILD\s+)?[a-z]+\s+(?:--\S+\s+)*/i;

/** True if the arguments are a JSON list of texts, which has no here-documents. `[ -f x ]` is not such a list. */
const isList = (text: string): boolean => {
  const list = parseJson(text.replace(keywordAndFlags, ''));
  return Array.isArray(list) && list.every((one) => typeof one === 'string');
};

const refuse = (line: number): UnreadableDependencyFileError =>
  new UnreadableDependencyFileError(
    `The end of the text after << in line ${line} is not known. Use a name of letters alone: <<EOT`,
  );

const readWord = (word: string, line: number): HereDocument[] => {
  if (!word.includes('<<')) return [];
  const [, dash, , end] = /^\d*<<(-?)(["']?)([A-Za-z_][\w.]*)\2$/.exec(word) ?? [];
  if (end !== undefined) return [{ end, isIndented: dash === '-' }];
  // Escapes, variables and inner quotes may change the end word.
  if (/^\d*<<-?[^<]+$|\\|\$\{/.test(word)) throw refuse(line);
  return [];
};

const listDocuments = (text: string, line: number): HereDocument[] => {
  if (!text.includes('<<') || !withDocuments.test(text) || isList(text)) return [];
  if (/\\["']/.test(text)) throw refuse(line);
  return splitWords(text).flatMap((word) => readWord(word, line));
};

const dropTabs = (line: string): string => line.replace(/^\t+/, '');

/** Returns the index of the first line after the here-documents of an instruction, counted from 0. */
export type DocumentSkipper = (text: string, start: number) => number;

/**
 * Returns a function that skips the here-documents in the lines of a Dockerfile. Like BuildKit, the function rejects a
 * here-document without an end. Source: `heredocsFromLine` of BuildKit.
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
