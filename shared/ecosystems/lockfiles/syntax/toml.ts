import { parse, TomlError } from 'smol-toml';
import { isObject } from '../../../util/json.ts';
import { refuseSyntax, type SyntaxNode } from './syntax-node.ts';

const parseToml = (text: string): unknown => {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw refuseSyntax('TOML', error.message.split('\n')[0] ?? '', error.line);
  }
};

const toTree = (value: unknown): SyntaxNode => ({ line: undefined, content: toContent(value) });

const toContent = (value: unknown): SyntaxNode['content'] => {
  if (Array.isArray(value)) return value.map(toTree);
  if (isObject(value) && !(value instanceof Date)) {
    return new Map(Object.entries(value).map(([name, one]) => [name, toTree(one)]));
  }
  return String(value);
};

/**
 * The lines in which the tables of a list begin, such as `[[package]]`: those of their names, or else of their headings.
 * The parser does not say, so that they are sought in the text.
 */
const listHeadings = (text: string, list: string): number[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() !== `[[${list}]]`) return [];
    return /^name\s*=/.test(lines[at + 1] ?? '') ? at + 2 : at + 1;
  });
};

/** @throws {UnreadableDependencyFileError} if it is no TOML */
export const parseTomlTree = (text: string): SyntaxNode => toTree(parseToml(text));

/** The tables of a list, with their lines wherever the text has as many headings as there are tables. */
export const listTables = (
  tables: readonly SyntaxNode[],
  text: string,
  list: string,
): readonly SyntaxNode[] => {
  const lines = listHeadings(text, list);
  if (lines.length !== tables.length) return tables;
  return tables.map(({ content }, at) => ({ content, line: lines[at] }));
};
