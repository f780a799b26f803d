import { globSync, readFileSync } from 'node:fs';

/** A file whose words the tests read. */
export interface Text {
  readonly file: string;
  readonly content: string;
}

const load = (patterns: readonly string[]): readonly Text[] =>
  globSync([...patterns], {
    exclude: (path) => /(^|\/)(node_modules|dist|cdk\.out)(\/|$)/.test(path),
  })
    .sort()
    .map((file) => ({ file, content: readFileSync(file, 'utf8') }));

/** Loads the pages for people, with the README files of the modules. */
export const loadPages = (): readonly Text[] =>
  load(['*.md', 'docs/**/*.md', 'shared/**/README.md']).map(({ file, content }) => ({
    file,
    // HTML for an image, which is no sentence.
    content: content.replace(/<picture>.*?<\/picture>/s, ''),
  }));

/** Loads the source of everything that is deployed or run by people. */
export const loadSource = (): readonly Text[] =>
  load(
    ['shared', 'functions', 'cli', 'console', 'infra', 'web'].map(
      (folder) => `${folder}/**/*.{ts,tsx}`,
    ),
  );

/** Loads all texts whose words are checked: pages, source and the OpenAPI document. */
export const loadTexts = (): readonly Text[] => [
  ...loadPages(),
  ...loadSource(),
  ...load(['openapi.json']),
];

/** Joins the lines of comments and paragraphs, so that a phrase is found across a line break. */
export const joinLines = (content: string): string =>
  content.replace(/\n[ \t]*(?:\*(?!\/)|\/\/)?[ \t]*/g, ' ');

/** A docstring with the place where it begins. */
export interface Docstring {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Lists the docstrings of a file, without stars, tags and line breaks. */
export const listDocstrings = ({ file, content }: Text): readonly Docstring[] =>
  [...content.matchAll(/\/\*\*(?!\/)(.*?)\*\//gs)].map((match) => ({
    file,
    line: content.slice(0, match.index).split('\n').length,
    text: (match[1] ?? '')
      .replace(/\n[ \t]*\*?[ \t]?/g, '\n')
      .replace(/\n@.*/s, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }));
