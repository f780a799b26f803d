import { phrases } from './phrases.ts';
import { countWords, readSentences, splitSentences } from './sentences.ts';
import { joinLines, listDocstrings, loadPages, loadSource, loadTexts, type Text } from './texts.ts';

const longestSentence = 30;
const longestAverage = 20;

/** Rules beside the table of phrases, with what to write instead. */
export const otherRules = {
  'long first sentence of a docstring': `at most ${longestSentence} words`,
  'long sentence': `at most ${longestSentence} words`,
  'long sentences on average': `at most ${longestAverage} words on average`,
  'clause as subject': 'a noun as the subject',
} as const;
type OtherRule = keyof typeof otherRules;

/** A place that breaks a rule, with some words around it. */
export interface Finding {
  readonly rule: string;
  readonly file: string;
  readonly around: string;
}

const toFinding = (rule: OtherRule, file: string, around: string): Finding => ({
  rule,
  file,
  around,
});

const findPhrases = ({ file, content }: Text): readonly Finding[] => {
  const joined = joinLines(content);
  return phrases.flatMap(({ name, pattern }) =>
    [...joined.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      rule: name,
      file,
      around: joined.slice(Math.max(0, index - 50), index + length + 30),
    })),
  );
};

const findLongDocstrings = (text: Text): readonly Finding[] =>
  listDocstrings(text)
    .filter(({ text: words }) => countWords(splitSentences(words)[0] ?? '') > longestSentence)
    .map(({ file, line, text: around }) =>
      toFinding('long first sentence of a docstring', `${file}:${line}`, around),
    );

/** True for a sentence such as "What is found is listed.", and false for a question. */
const hasClauseAsSubject = (sentence: string): boolean =>
  /^\**(What|Whether|Who|Whose|Those who)\b.*[.:]\**$/.test(sentence);

const findLongSentences = (text: Text): readonly Finding[] => {
  const { prose, cells } = readSentences(text);
  const average = prose.reduce((sum, one) => sum + countWords(one), 0) / prose.length;
  return [
    ...[...prose, ...cells]
      .filter((one) => countWords(one) > longestSentence)
      .map((one) => toFinding('long sentence', text.file, one)),
    ...(average > longestAverage
      ? [toFinding('long sentences on average', text.file, average.toFixed(1))]
      : []),
    ...prose
      .filter(hasClauseAsSubject)
      .map((one) => toFinding('clause as subject', text.file, one)),
  ];
};

/** Removes the tables of the changelog, which list old names beside the new ones. */
const withoutOldNames = ({ file, content }: Text): Text => ({
  file,
  content: file === 'CHANGELOG.md' ? content.replace(/^ *\|.*$/gm, '') : content,
});

/** Finds every place that breaks a rule of words. */
export const findAll = (): readonly Finding[] => [
  ...loadTexts().map(withoutOldNames).flatMap(findPhrases),
  ...loadSource().flatMap(findLongDocstrings),
  ...loadPages()
    .filter(({ file }) => file !== 'CHANGELOG.md')
    .flatMap(findLongSentences),
];
