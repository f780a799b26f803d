import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { formatDetails } from './details.ts';
import { formatJson } from './json.ts';
import { describeRest, toPage } from './page.ts';
import { formatTable } from './table.ts';
import type { Output, Terminal } from './terminal.ts';
import { toOneLine } from './text.ts';
import { formatValue } from './values.ts';

/** The format of a command's result. */
export type Format = 'people' | 'json' | 'jsonl' | 'name';

/** Returns whether a format has a line for each row, so that rows can be written before the last one is known. */
export const isByRow = (format: Format): boolean => format === 'jsonl' || format === 'name';

/** Returns the name of a row, as commands take it: `npm:lodash@4.17.21`, the ID of a vulnerability, or a project. */
const formatName = (row: JsonObject): string => {
  const { id, name, version } = row;
  const about = row['package'];
  if (isObject(about)) return formatName(about);
  if (typeof about === 'string') return formatName({ name: about, version });
  return toOneLine(
    typeof name === 'string' ? formatPackage(row) : formatValue(id ?? row['project']),
  );
};

/** How people see an answer, where a table or a list of fields is not enough. */
export interface View<Answer extends object = object, Row extends object = object> {
  /** The columns of tables; all that fit into cells unless given. */
  readonly columns?: readonly string[] | undefined;
  /** The columns that a narrow terminal leaves out, the least important first. */
  readonly droppable?: readonly string[] | undefined;
  /** Returns the fields that people see of an answer that is no list. */
  presentAnswer?(answer: Answer): object;
  /** Returns the fields that people see above the rows of a list. */
  presentAbout?(about: JsonObject): object;
  /** What people read in place of an empty list; a general sentence unless given. */
  readonly emptyText?: string;
  /** Returns the cells that people see of each row of a list. */
  presentRow?(row: Row): object;
  /** Formats an answer that is no list, in place of its fields. */
  formatAnswer?(answer: Answer, output: Output): readonly string[];
  /** Formats each row of a list, in place of a table. */
  formatRow?(row: Row, output: Output): readonly string[];
}

/** How an answer is written. */
export interface Appearance extends View {
  readonly format: Format;
  /** The query parameter that takes the `next` of a page. */
  readonly nextParameter?: string | undefined;
  /** Whether a query parameter selects entries of the list. */
  readonly isFiltered?: boolean;
}

/** Writes the rows of a list; in JSON and as names, one line for each. */
export const writeRows = (
  rows: readonly JsonObject[],
  out: Output,
  { format, columns, droppable, presentRow = (row) => row, formatRow }: Appearance,
): void => {
  if (rows.length === 0) return;
  const lines = (): readonly string[] => {
    if (format === 'name') return rows.map(formatName).filter(Boolean);
    if (format !== 'people') return rows.map((row) => formatJson(row));
    if (formatRow) return rows.flatMap((row) => formatRow(row, out));
    return formatTable(
      rows.map((row) => ({ ...presentRow(row) })),
      out,
      columns,
      droppable,
    );
  };
  const written = lines();
  if (written.length > 0) out.write(`${written.join('\n')}\n`);
};

const writeForPeople = (
  answer: object,
  { out, err }: Terminal,
  appearance: Appearance & { readonly format: 'people' },
): void => {
  const { columns, nextParameter, isFiltered = false, emptyText } = appearance;
  const { presentAnswer = (fields) => fields, presentAbout = (fields) => fields } = appearance;
  const page = toPage(answer);
  if (!page) {
    const lines =
      appearance.formatAnswer?.(answer, out) ?? formatDetails(presentAnswer(answer), out, columns);
    out.write(`${lines.join('\n')}\n`);
    return;
  }
  const about = formatDetails(presentAbout(page.about), out);
  if (about.length > 0) out.write(`${about.join('\n')}\n\n`);
  writeRows(page.rows, out, appearance);
  const rest = toOneLine(describeRest(page, { nextParameter, isFiltered, emptyText }));
  if (rest) err.write(`${rest}\n`);
};

/** Writes the result of a command. */
export const writeResult = (answer: object, terminal: Terminal, appearance: Appearance): void => {
  const { out } = terminal;
  const { format } = appearance;
  if (format === 'json') out.write(`${formatJson(answer, 2)}\n`);
  else if (format === 'people') writeForPeople(answer, terminal, { ...appearance, format });
  else writeRows(toPage(answer)?.rows ?? [{ ...answer }], out, { format });
};
