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
  /** What people read in place of one thing, or of each row. */
  forPeople?(thing: object): object;
}

const writeForPeople = (
  answer: object,
  { out, err }: Terminal,
  { columns, forPeople = (thing) => thing }: Appearance,
): void => {
  const page = toPage(answer);
  const write = (lines: readonly string[]): void => out.write(`${lines.join('\n')}\n`);
  if (!page) write(formatDetails(forPeople(answer), out, columns));
  else if (page.rows.length > 0)
    write(
      formatTable(
        page.rows.map((row) => ({ ...forPeople(row) })),
        out,
        columns,
      ),
    );
  if (page) err.write(describeRest(page));
};

/** Writes what a command found out. */
export const writeResult = (answer: object, terminal: Terminal, appearance: Appearance): void => {
  const { out } = terminal;
  const { format } = appearance;
  if (format === 'json') out.write(`${formatJson(answer, 2)}\n`);
  else if (format === 'jsonl') {
    for (const row of toPage(answer)?.rows ?? [answer]) out.write(`${formatJson(row)}\n`);
  } else writeForPeople(answer, terminal, appearance);
};
