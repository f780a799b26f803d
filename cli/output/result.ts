import type { JsonObject } from '../../shared/util/json.ts';
import { formatDetails } from './details.ts';
import { formatJson } from './json.ts';
import { describeRest, toPage } from './page.ts';
import { formatTable } from './table.ts';
import type { Output, Terminal } from './terminal.ts';
import { toOneLine } from './text.ts';

/** How a command's result is written. */
export type Format = 'people' | 'json' | 'jsonl';

interface Appearance {
  readonly format: Format;
  /** The columns of tables for people; all that fit into cells unless given. */
  readonly columns?: readonly string[] | undefined;
  /** The parameter that takes the `next` of a page. */
  readonly nextParameter?: string;
  /** What people read in place of one thing, or of each row. */
  forPeople?(thing: object): object;
  /** The lines in which people read one thing, in place of its fields. */
  formatAnswer?(answer: object, output: Output): readonly string[];
  /** The lines in which people read each row of a list, in place of a table. */
  toLines?(row: object, output: Output): readonly string[];
}

/** Writes the rows of a list: in JSON, a line for each. */
export const writeRows = (
  rows: readonly JsonObject[],
  out: Output,
  { format, columns, forPeople = (thing) => thing, toLines }: Appearance,
): void => {
  if (rows.length === 0) return;
  const lines = (): readonly string[] => {
    if (format !== 'people') return rows.map((row) => formatJson(row));
    if (toLines) return rows.flatMap((row) => toLines(row, out));
    return formatTable(
      rows.map((row) => ({ ...forPeople(row) })),
      out,
      columns,
    );
  };
  out.write(`${lines().join('\n')}\n`);
};

const writeForPeople = (
  answer: object,
  { out, err }: Terminal,
  appearance: Appearance & { readonly format: 'people' },
): void => {
  const { columns, nextParameter, forPeople = (thing) => thing } = appearance;
  const page = toPage(answer);
  if (!page) {
    const lines =
      appearance.formatAnswer?.(answer, out) ?? formatDetails(forPeople(answer), out, columns);
    out.write(`${lines.join('\n')}\n`);
    return;
  }
  const about = formatDetails(page.about, out);
  if (about.length > 0) out.write(`${about.join('\n')}\n\n`);
  writeRows(page.rows, out, appearance);
  const rest = toOneLine(describeRest(page, nextParameter));
  if (rest) err.write(`${rest}\n`);
};

/** Writes what a command found out. */
export const writeResult = (answer: object, terminal: Terminal, appearance: Appearance): void => {
  const { out } = terminal;
  const { format } = appearance;
  if (format === 'json') out.write(`${formatJson(answer, 2)}\n`);
  else if (format === 'people') writeForPeople(answer, terminal, { ...appearance, format });
  else writeRows(toPage(answer)?.rows ?? [{ ...answer }], out, { format });
};
