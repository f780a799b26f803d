import * as z from 'zod';
import { findHiddenFault, hasControlCharacters, longestIdentity } from '../../util/characters.ts';

/**
 * Returns the schema with a check that refuses invisible characters and characters that reverse the direction of text.
 */
const visible = <S extends z.ZodType<string>>(schema: S) =>
  schema.refine((value) => findHiddenFault(value) === undefined, {
    error: ({ input }) => findHiddenFault(String(input)),
    abort: true,
  });

/**
 * Control characters and common invisible characters, for patterns of the OpenAPI document. The syntax is valid in the
 * patterns of every language.
 */
const unseen =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff';
const notBlank = '\\S';
const onOneLine = `^[^${unseen}]*[^\\s${unseen}][^${unseen}]*$`;

/** Returns the schema of text on one line: not blank, valid Unicode, without control or invisible characters. */
export const line = (maxLength: number) =>
  visible(
    text(maxLength)
      .refine((value) => value.trim() !== '', { error: 'must not be blank; leave it out instead' })
      .refine((value) => !hasControlCharacters(value), {
        error: 'must not contain control characters',
      }),
  ).meta({ pattern: onOneLine });

/** Returns the schema of text with any number of lines that is not blank. */
export const lines = (maxLength: number) =>
  text(maxLength)
    .refine((value) => value.trim() !== '', { error: 'must not be blank; leave it out instead' })
    .meta({ pattern: notBlank });

/** Returns the schema of text with any number of lines. Its maximum length is in UTF-16 code units. */
export const text = (maxLength: number) =>
  z
    .string({ error: 'must be a string' })
    .max(maxLength, { error: `must be at most ${maxLength} characters` })
    .refine((value) => value.isWellFormed(), { error: 'must be valid Unicode' });

const maxUrlLength = 2048;

/** Pattern of a URL that is valid as written. It refuses text that browsers would correct or pages would misread. */
const writtenUrl = /^[a-z+]+:\/\/[^/\s\p{Cc}"<>\\`][^\s\p{Cc}"<>\\`]*$/u;

/** Returns a URL pattern for the OpenAPI document: a protocol, a host without a user, and the rest. */
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

/**
 * Returns the schema of a URL with a host and one of the protocols, stored as given. It refuses a user or password,
 * since the registry shows the URL to everyone.
 */
export const url = (...protocols: readonly string[]) =>
  visible(text(maxUrlLength))
    .refine((value) => isAllowedUrl(value, protocols), {
      error: `must be a URL that starts with ${protocols.map((name) => `${name}://`).join(' or ')}`,
    })
    .refine((value) => !hasCredentials(value), {
      error: 'must not contain a user or password',
    })
    .meta({ format: 'uri', pattern: describeUrl(protocols) });

/** Name of a submitter or decider, preferably an e-mail address. */
export const Identity = line(longestIdentity);

/** Returns the schema of an optional field. Null means the same as an absent field. */
export const optional = <S extends z.ZodType>(schema: S) => schema.nullish();
