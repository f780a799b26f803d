import type { Text } from './texts.ts';

/** Splits a paragraph into sentences. A full stop inside inline code or a number ends none. */
export const splitSentences = (paragraph: string): readonly string[] =>
  paragraph
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/(?<=[.!?][)"”*]*)\s+(?=[("“*]*[A-Z0-9])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[A-Za-z]/.test(sentence));

/** Counts the words of a sentence; signs alone are none. */
export const countWords = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** Prose and table cells of a page, in sentences, without blocks of code. */
export interface PageSentences {
  readonly prose: readonly string[];
  readonly cells: readonly string[];
}

/** Reads the sentences of a page. Each item of a list and each cell of a table begins a new one. */
export const readSentences = ({ content }: Text): PageSentences => {
  const lines = content.replace(/^ *```.*?^ *```$/gms, '').split('\n');
  const isRow = (line: string): boolean => line.trimStart().startsWith('|');
  const paragraphs = lines
    .filter((line) => !isRow(line))
    .map((line) =>
      /^\s*(?:[-*]|\d+\.|#+)\s/.test(line)
        ? `\n\n${line.replace(/^\s*(?:[-*]|\d+\.|#+)\s+/, '')}`
        : line,
    )
    .join('\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim());
  const cells = lines.filter(isRow).flatMap((line) => line.split(/(?<!\\)\|/));
  return {
    prose: paragraphs.flatMap(splitSentences),
    cells: cells.flatMap(splitSentences),
  };
};
