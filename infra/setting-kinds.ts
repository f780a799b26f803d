/** The types of settings, each with its own error message. */
import * as z from 'zod';
import { parseFilePlaces } from '../shared/domain/packages/file-places.ts';
import { parseOwnPackages } from '../shared/domain/packages/own-packages.ts';
import { hasUserInfo } from '../shared/util/outbound-http/outbound-http.ts';

/** A whole number, from `-c name=value` or the file of a stage. */
export const whole = (rule: string) =>
  z
    .union([z.number(), z.string().regex(/^[0-9]+$/, { error: rule })], { error: rule })
    .transform(Number)
    .refine(Number.isSafeInteger, { error: rule });

/** A whole number above 0. */
export const positive = (what: string) => {
  const rule = `must be ${what}, a whole number above 0`;
  return whole(rule).refine((value) => value > 0, { error: rule });
};

/** An ARN whose part after the partition matches a pattern. */
export const arn = (pattern: string, what: string) => {
  const error = `must be the ARN of ${what}`;
  return z.string({ error }).regex(new RegExp(`^arn:aws[a-z-]*:${pattern}$`), { error });
};

/** The ARN of a KMS key. */
export const keyArn = arn(
  'kms:[a-z0-9-]+:\\d{12}:key/(?:mrk-[0-9a-f]{32}|[0-9a-f-]{36})',
  'a KMS key',
);

/** Words separated by commas, each once, or `none`. The value is a string, as functions get it in a variable. */
export const someOf = (...words: readonly string[]) => {
  const error = `must be some of ${words.join(', ')}, separated by commas, or none`;
  return z
    .union([z.string(), z.array(z.string())], { error })
    .transform((value) => (typeof value === 'string' ? value.split(',') : value))
    .transform((value) => value.map((word) => word.trim()))
    .refine((value) => value.join() === 'none' || value.every((word) => words.includes(word)), {
      error,
    })
    .transform((value) => [...new Set(value)].join(',') || 'none');
};

/** An http or https URL without an account: a deployment shows its settings, and the gate redirects clients. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  .refine((text) => !hasUserInfo(new URL(text)), {
    error: 'must have no user and no password: the secret of upstreamSecretArn has the accounts',
  });

const issuerRule =
  'must be the exact issuer: an http or https URL without user, query and fragment';

/** The URL of an OpenID Connect issuer, exactly as its tokens have it. */
export const issuerUrl = z
  .url({ protocol: /^https?$/, error: issuerRule })
  .refine((text) => !/[?#@]/.test(text), { error: issuerRule });

/** A text of one line without spaces at its ends. */
export const oneLine = (what: string) => {
  const error = `must be ${what}, a text of one line`;
  return z.string({ error }).regex(/^(?! )[ -~]{1,255}(?<! )$/, { error });
};

const originsRule =
  'must be http or https origins such as https://id.example.com, with commas between';

/** True for an origin without characters that mean something in a Content-Security-Policy. A host in a URL may have some. */
export const isPlainOrigin = (text: string): boolean =>
  /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?$/.test(text) &&
  URL.parse(text)?.origin === text;

/** Origins, as a list or separated by commas. The value is a string, as functions get it in a variable. */
export const origins = z
  .union([z.string(), z.array(z.string())], { error: originsRule })
  .transform((value) => (typeof value === 'string' ? value.split(',') : value))
  .transform((value) => [...new Set(value.map((one) => one.trim()))])
  .refine((value) => value.every(isPlainOrigin), { error: originsRule })
  .transform((value) => value.join(','));

/** An http or https URL, or `none`. */
export const urlOrNone = z.union([z.literal('none'), httpUrl], {
  error: 'must be an http or https URL, or none',
});

const placesRule =
  'must be addresses of files, with commas between, each as ECOSYSTEM:ADDRESS or with its mirror as ECOSYSTEM:ADDRESS=MIRROR, by http or https and without ?, #, a user and a password; or none';

/** Addresses of files with their mirrors. The value is a string, as functions get it in a variable. */
export const places = z
  .string({ error: placesRule })
  .refine((value) => parseFilePlaces(value) !== undefined, { error: placesRule });

const ownPackagesRule =
  'must be patterns of names, with commas between, each as ECOSYSTEM:PATTERN with two letters or digits at least, such as npm:@acme/*; or none';

/** Patterns of the organisation's own packages. The value is a string, as functions get it in a variable. */
export const ownPackages = z
  .string({ error: ownPackagesRule })
  .refine((value) => parseOwnPackages(value) !== undefined, { error: ownPackagesRule });

/** A boolean, from `-c name=value` or the file of a stage. */
export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], { error: 'must be true or false' })
  .transform((value) => value === true || value === 'true');

/** Ids of parts of AWS with a prefix such as `vpce`, as a list or separated by commas. */
export const awsIds = (prefix: string, what: string) => {
  const error = `must be ids of ${what} such as ${prefix}-0123456789abcdef0, with commas between`;
  const pattern = new RegExp(`^${prefix}-[0-9a-f]{8,17}$`);
  return z
    .union([z.string(), z.array(z.string())], { error })
    .transform((value) => (typeof value === 'string' ? value.split(',') : value))
    .transform((ids) => [...new Set(ids.map((id) => id.trim()))])
    .refine((ids) => ids.every((id) => pattern.test(id)), { error });
};

/** A host name without a wildcard. */
export const hostName = z
  .string({ error: 'must be the name of a host such as registry.example.com' })
  .regex(/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
    error: 'must be the name of a host such as registry.example.com, in lower case',
  });

/** A JSON object, or its text. */
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

/** An https URL that EventBridge accepts. A `*` would be a placeholder there. */
export const httpsUrl = z
  .url({ protocol: /^https$/, error: httpsRule, abort: true })
  .regex(/^(?=.{1,2048}$)https:\/\/[^/?#@*\s]+([/?][^#*\s]*)?$/, { error: httpsRule });

const tagsRule =
  'must be a JSON object of at most 45 tags, such as {"team":"platform"}: names of up to 128 and values of up to 256 letters, digits, spaces and . : / = + - @ _, and no name that begins with aws:';
const tagText = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u;

/** Tags by their keys. */
export const tags = jsonObject(
  z
    .record(
      z
        .string()
        .regex(/^(?!aws:).{1,128}$/i, { error: tagsRule })
        .regex(tagText, { error: tagsRule }),
      z
        .string({ error: tagsRule })
        .max(256, { error: tagsRule })
        .regex(tagText, { error: tagsRule }),
      { error: tagsRule },
    )
    .refine((given) => Object.keys(given).length <= 45, { error: tagsRule }),
);

const fileRule = 'must be the path of a JSON file';

/** The path of a JSON file in the project. */
export const file = z.string({ error: fileRule }).min(1, { error: fileRule });
