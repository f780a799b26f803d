import * as z from 'zod';
import { findHiddenFault, hasControlCharacters, longestIdentity } from '../../util/characters.ts';

/** Nothing that a reader would not see, or would see in another order than it is. */
const visible = <S extends z.ZodType<string>>(schema: S) =>
  schema.refine((value) => findHiddenFault(value) === undefined, {
    error: ({ input }) => findHiddenFault(String(input)),
    abort: true,
  });

/**
 * For the document of the API, as every language's patterns can say it: control characters, and those that nobody sees
 * as far as they are not rare.
 */
const unseen =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff';
const notBlank = '\\S';
const onOneLine = `^[^${unseen}]*[^\\s${unseen}][^${unseen}]*$`;

/** Text on one line: not blank, no control characters, nothing that nobody sees or that UTF-8 cannot carry. */
export const line = (maxLength: number) =>
  visible(
    text(maxLength)
      .refine((value) => value.trim() !== '', { error: 'must not be blank; leave it out instead' })
      .refine((value) => !hasControlCharacters(value), {
        error: 'must not contain control characters',
      }),
  ).meta({ pattern: onOneLine });

/** Text of any number of lines that is not blank. */
export const lines = (maxLength: number) =>
  text(maxLength)
    .refine((value) => value.trim() !== '', { error: 'must not be blank; leave it out instead' })
    .meta({ pattern: notBlank });

/** Text of any number of lines. */
export const text = (maxLength: number) =>
  z
    .string({ error: 'must be a string' })
    .max(maxLength, { error: `must be at most ${maxLength} characters` })
    .refine((value) => value.isWellFormed(), { error: 'must be valid Unicode' });

const maxUrlLength = 2048;

/** What a browser would mend or a page misread is refused: it must be a URL as written. */
const writtenUrl = /^[a-z+]+:\/\/[^/\s\p{Cc}"<>\\`][^\s\p{Cc}"<>\\`]*$/u;

/** The same for the document of the API: a protocol, a host without a user before it, and the rest. */
const describeUrl = (protocols: readonly string[]): string => {
  const names = protocols.map((name) => name.replace('+', '\\+')).join('|');
  const refused = `\\s${unseen}"<>\\\\\``;
  return `^(?:${names})://[^/?#@${refused}]+(?:[/?#][^${refused}]*)?$`;
};

const isAllowedUrl = (value: string, protocols: readonly string[]): boolean => {
  const url = writtenUrl.test(value) ? URL.parse(value) : null;
  return url !== null && url.hostname !== '' && protocols.includes(url.protocol.slice(0, -1));
};

const hasCredentials = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.username !== '' || url.password !== '');
};

/** A URL with a host, of one of the protocols, kept as given. No user or password: the registry shows it to everyone. */
export const url = (...protocols: readonly string[]) =>
  visible(text(maxUrlLength))
    .refine((value) => isAllowedUrl(value, protocols), {
      error: `must be a URL that starts with ${protocols.map((name) => `${name}://`).join(', ')}`,
    })
    .refine((value) => !hasCredentials(value), {
      error: 'must not contain a user or password',
    })
    .meta({ format: 'uri', pattern: describeUrl(protocols) });

/** Who submits or decides: an e-mail address where there is one. */
export const Identity = line(longestIdentity);

/** An optional field; null says the same as leaving it out. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish();
