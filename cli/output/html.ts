import { showHidden } from './text.ts';

/** The key of markup. No JSON of a registry can have it. */
const written: unique symbol = Symbol('markup');

/** Markup that is safe to write into a page. Only `html` creates it. */
export interface Markup {
  readonly [written]: string;
}

/** Content of a page: markup, text that is escaped, or nothing. */
export type Content = Markup | string | number | null | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Escapes text for elements and quoted attributes, and shows its hidden characters by their code points. */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .split(/\r\n?|\n/)
    .map(showHidden)
    .join('\n')
    .replace(/[&<>"'`]/g, (character) => entities[character] ?? '');

const isMarkup = (content: object): content is Markup => written in content;

const write = (content: Content): string => {
  if (content === null || content === undefined) return '';
  if (typeof content !== 'object') return escapeText(String(content));
  if (isMarkup(content)) return content[written];
  // A registry of another release may send an object in place of a text.
  return Array.isArray(content) ? content.map(write).join('') : escapeText(JSON.stringify(content));
};

/**
 * Returns markup from a template. Each inserted text is escaped, so that text of others never becomes markup.
 *
 * @example html`<p class="${kind}">${reason}</p>`
 */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Markup => ({
  [written]: parts.map((part, at) => `${part}${write(contents[at])}`).join(''),
});

/** Returns the text of markup, for a file. */
export const toHtml = (markup: Markup): string => markup[written];

/** Returns a style sheet as an element. The caller writes the sheet; text of others is only in it by `toCssString`. */
export const styleElement = (sheet: string): Markup => ({ [written]: `<style>${sheet}</style>` });

/** Returns text as a string of CSS, with each character as an escape. */
export const toCssString = (text: string): string =>
  `"${[...text.toWellFormed()]
    .map((character) => `\\${(character.codePointAt(0) ?? 0).toString(16)} `)
    .join('')}"`;

/**
 * Returns an element with JSON for programs, which browsers neither show nor run.
 * @param id the id of the element
 */
export const jsonElement = (id: string, value: unknown): Markup => {
  const json = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { [written]: `<script type="application/json" id="${id}">${json}</script>` };
};
