/** The kinds of values that settings have. Each says in words of its own what is wrong. */
import * as z from 'zod';
import { parseFilePlaces } from '../shared/domain/file-places.ts';

/** A number, as `-c name=value` or as cdk.json may write it. */
export const whole = (rule: string) =>
  z
    .union([z.number(), z.string().regex(/^[0-9]+$/, { error: rule })], { error: rule })
    .transform(Number)
    .refine(Number.isSafeInteger, { error: rule });

/** A whole number of something, above 0. */
export const positive = (what: string) => {
  const rule = `must be ${what}, a whole number above 0`;
  return whole(rule).refine((value) => value > 0, { error: rule });
};

/** An ARN whose part behind the partition matches. */
export const arn = (pattern: string, what: string) => {
  const error = `must be the ARN of ${what}`;
  return z.string({ error }).regex(new RegExp(`^arn:aws[a-z-]*:${pattern}$`), { error });
};

/** One of some words. */
export const oneOf = <const W extends string>(...words: readonly [W, ...W[]]) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** Some words with commas between, each once, or `none`; as text, which functions are told it as. */
export const someOf = (...words: readonly string[]) => {
  const error = `must be some of ${words.join(', ')}, with commas between, or none`;
  return z
    .union([z.string(), z.array(z.string())], { error })
    .transform((value) => (typeof value === 'string' ? value.split(',') : value))
    .transform((value) => value.map((word) => word.trim()))
    .refine((value) => value.join() === 'none' || value.every((word) => words.includes(word)), {
      error,
    })
    .transform((value) => [...new Set(value)].join(',') || 'none');
};

/** The address of something that is asked over HTTP. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const placesRule =
  'must be addresses of files, with commas between, each as ECOSYSTEM:ADDRESS or with its mirror as ECOSYSTEM:ADDRESS=MIRROR, by http or https and without ? and #; or none';

/** Where files lie, and where they are to be had; as text, which functions are told it as. */
export const places = z
  .string({ error: placesRule })
  .refine((value) => parseFilePlaces(value) !== undefined, { error: placesRule });

/** A choice, as `-c name=value` or as cdk.json may write it. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((value) => value === true || value === 'true');

/** A JSON object, as text or as it is. */
export const jsonObject = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  }, schema);

const httpsRule =
  'must be an https URL of at most 2048 characters, without a user, a password, * or #';

/** An address that EventBridge may send to. It takes `*` for a placeholder. */
export const httpsUrl = z
  .url({ protocol: /^https$/, error: httpsRule, abort: true })
  .regex(/^(?=.{1,2048}$)https:\/\/[^/?#@*\s]+([/?][^#*\s]*)?$/, { error: httpsRule });
