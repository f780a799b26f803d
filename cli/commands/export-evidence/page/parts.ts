import {
  describeActor,
  describeSubmitter,
} from '../../../../shared/domain/tokens/describe-actor.ts';
import { type Content, html, type Markup } from '../../../output/html.ts';

/** Formats a time as `2026-01-31 12:30:05 UTC`; other text as it is. */
export const formatTime = (at: string): string => {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
};

/** Returns a time that can break between the day and the hour. */
export const timeOf = (at: string | null, missing = 'never'): Content => {
  if (at === null) return missing;
  const [day = '', ...rest] = formatTime(at).split(' ');
  return html`<time datetime="${at}"><span>${day}</span> <span>${rest.join(' ')}</span></time>`;
};

type Actor = Parameters<typeof describeActor>[0];

const nameToken = ({ token_label }: Actor): string =>
  token_label ? `token ${token_label}` : 'no name';

/** Returns a person with the label of the token. */
export const actorOf = (actor: Actor): string => describeActor(actor) ?? nameToken(actor);

/** Returns the label of the token that submitted a version, and the person for whom it did. */
export const submitterOf = (actor: Actor): string => describeSubmitter(actor) ?? nameToken(actor);

const webProtocols = ['https:', 'http:'];

/** Returns whether an address leads to the web. A user in front of the host could pretend to be another host. */
const isWebAddress = (address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return webProtocols.includes(protocol) && username === '' && password === '';
};

/** Returns a web address as a link that shows the whole address, for print; any other text as text. */
export const linkTo = (address: string): Markup =>
  isWebAddress(address)
    ? html`<a href="${new URL(address).href}" rel="noopener noreferrer">${address}</a>`
    : html`${address}`;

/** Returns text of others, with its line breaks. */
export const quoteOf = (text: string | null, missing = 'none'): Markup =>
  text === null || text === ''
    ? html`<span class="quiet">${missing}</span>`
    : html`<span class="quote">${text}</span>`;

const tones: ReadonlyMap<string, string> = new Map(
  Object.entries({
    approved: 'good',
    passed: 'good',
    verified: 'good',
    yes: 'good',
    pending: 'warn',
    warning: 'warn',
    conditional: 'warn',
    unreviewed: 'warn',
    'not known': 'warn',
    rejected: 'bad',
    failed: 'bad',
    error: 'bad',
    missing: 'bad',
    unreadable: 'bad',
    invalid: 'bad',
    no: 'bad',
    critical: 'bad',
    high: 'bad',
  }),
);

/** Returns a word in the colour of its meaning. The word alone has the meaning, too. */
export const toned = (word: string): Markup =>
  html`<span class="${tones.get(word) ?? 'quiet'}">${word}</span>`;

/** Returns a status as a badge. */
export const badgeOf = (word: string): Markup =>
  html`<span class="badge ${tones.get(word) ?? 'quiet'}">${word}</span>`;

/** Returns a list of fields with their labels. */
export const fieldsOf = (fields: readonly (readonly [label: string, value: Content])[]): Markup =>
  html`<dl class="fields">${fields.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;

/** Returns a list of items; the text for none if it is empty. */
export const listOf = (items: readonly Content[], none: string): Markup =>
  items.length === 0
    ? html`<p class="quiet">${none}</p>`
    : html`<ul class="list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => Content;
  /** The class of its cells. */
  readonly kind?: 'tight' | 'digest';
}

/** The rows that a page shows of a list; its JSON has all of them. */
const maxRows = 1000;

const rowOf = <Row>(row: Row, columns: readonly Column<Row>[], isMarked: boolean): Markup =>
  html`<tr class="${isMarked ? 'changed' : ''}">${columns.map(
    ({ value, kind = '' }) => html`<td class="${kind}">${value(row)}</td>`,
  )}</tr>`;

/** How a table shows its rows. */
interface TableOptions<Row> {
  /** The text in place of an empty table. */
  readonly none: string;
  readonly isMarked?: (row: Row) => boolean;
}

/** Returns a table, whose head repeats on each printed page. */
export const tableOf = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { none, isMarked = () => false }: TableOptions<Row>,
): Markup => {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`;
  const left = rows.length - maxRows;
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${columns.map(
    ({ title }) => html`<th scope="col">${title}</th>`,
  )}</tr></thead><tbody>${rows
    .slice(0, maxRows)
    .map((row) => rowOf(row, columns, isMarked(row)))}</tbody></table></div>${
    left > 0 ? html`<p class="warn">${left} more rows are in the data of this file.</p>` : null
  }`;
};
