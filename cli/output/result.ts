import { formatDetails } from './details.ts';
import { formatJson } from './json.ts';
import { describeRest, toPage } from './page.ts';
import { formatTable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** How a command's result is written. */
export type Format = 'people' | 'json' | 'jsonl';

interface Appearance {
  readonly format: Format;
  /** The columns of tables for people; all that fit into cells unless given. */
  readonly columns?: readonly string[] | undefined;
}

const writeForPeople = (answer: unknown, { out, err }: Terminal, columns?: readonly string[]) => {
  const page = toPage(answer);
  const write = (lines: readonly string[]): void => out.write(`${lines.join('\n')}\n`);
  if (!page) write(formatDetails(answer as object, out, columns));
  else if (page.rows.length > 0) write(formatTable(page.rows, out, columns));
  if (page) err.write(describeRest(page));
};

/** Writes what a command found out. */
export const writeResult = (
  answer: unknown,
  terminal: Terminal,
  { format, columns }: Appearance,
): void => {
  const { out } = terminal;
  if (format === 'json') out.write(`${formatJson(answer, 2)}\n`);
  else if (format === 'jsonl') {
    for (const row of toPage(answer)?.rows ?? [answer]) out.write(`${formatJson(row)}\n`);
  } else writeForPeople(answer, terminal, columns);
};
