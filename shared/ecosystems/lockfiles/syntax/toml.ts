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
 * Returns the lines, counted from 1, where the tables of a list such as `[[package]]` begin: the line of `name` if it
 * follows the heading, else the heading. The text is searched, because the parser reports no lines.
 */
const listHeadings = (text: string, list: string): number[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() !== `[[${list}]]`) return [];
    return /^name\s*=/.test(lines[at + 1] ?? '') ? at + 2 : at + 1;
  });
};

/** @throws {UnreadableDependencyFileError} if the text is not valid TOML */
export const parseTomlTree = (text: string): SyntaxNode => toTree(parseToml(text));

/** Returns the tables of a list. Adds their lines if the text has exactly one heading for each table. */
export const listTables = (
  tables: readonly SyntaxNode[],
  text: string,
  list: string,
): readonly SyntaxNode[] => {
  const lines = listHeadings(text, list);
  if (lines.length !== tables.length) return tables;
  return tables.map(({ content }, at) => ({ content, line: lines[at] }));
};
