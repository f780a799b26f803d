import type { Terminal } from '../terminal.ts';
import { detailLines } from './details.ts';
import { jsonText } from './json.ts';
import { tableLines } from './table.ts';
import { isRecord } from './values.ts';

export type Row = Readonly<Record<string, unknown>>;

/** How a command's result is written. */
export type Format = 'people' | 'json' | 'jsonl';

/** One page of a list, whatever its rows are called. */
export interface Page {
  readonly rows: readonly Row[];
  /** What the rows are called in the answer. */
  readonly key: string;
  readonly total: number;
  readonly offset: number;
}

/** The page that an answer is; undefined if it is one thing. */
export const pageOf = (answer: unknown): Page | undefined => {
  if (!isRecord(answer) || typeof answer['total'] !== 'number') return undefined;
  const [key, rows] = Object.entries(answer).find(([, value]) => Array.isArray(value)) ?? [];
  if (key === undefined) return undefined;
  const offset = Number(answer['offset'] ?? 0);
  return { key, rows: rows as readonly Row[], total: answer['total'], offset };
};

const count = (of: number): string => of.toLocaleString('en');

const notes = ({ rows, total, offset }: Page): string => {
  if (total === 0) return 'Nothing matches.\n';
  if (rows.length === 0) return `There are ${count(total)}; --offset is beyond them.\n`;
  const next = offset + rows.length;
  if (next >= total) return '';
  return `${count(offset + 1)} to ${count(next)} of ${count(total)}; --all shows all, --offset ${next} the next.\n`;
};

interface Appearance {
  readonly format: Format;
  readonly columns?: readonly string[] | undefined;
}

const writeForPeople = (answer: unknown, { out, err }: Terminal, columns?: readonly string[]) => {
  const page = pageOf(answer);
  const write = (lines: readonly string[]): void => out.write(`${lines.join('\n')}\n`);
  if (!page) write(detailLines(answer as object, out, columns));
  else if (page.rows.length > 0) write(tableLines(page.rows, out, columns));
  if (page) err.write(notes(page));
};

/** Writes what a command found out. */
export const writeResult = (
  answer: unknown,
  terminal: Terminal,
  { format, columns }: Appearance,
): void => {
  const { out } = terminal;
  if (format === 'json') out.write(`${jsonText(answer, 2)}\n`);
  else if (format === 'jsonl') {
    for (const row of pageOf(answer)?.rows ?? [answer]) out.write(`${jsonText(row)}\n`);
  } else writeForPeople(answer, terminal, columns);
};
