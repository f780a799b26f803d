import exceptions from 'spdx-exceptions/index.json' with { type: 'json' };
import parseExpression from 'spdx-expression-parse';
import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import current from 'spdx-license-ids/index.json' with { type: 'json' };

const byLowerCase = (ids: readonly string[]): Map<string, string> =>
  new Map(ids.map((id) => [id.toLowerCase(), id]));

const knownIds = byLowerCase([...current, ...deprecated]);
const knownWords = byLowerCase([...current, ...deprecated, ...exceptions, 'AND', 'OR', 'WITH']);

/** SPDX identifiers that SPDX replaced by another identifier (spdx.org/licenses, "Deprecated License Identifiers"). */
const renamed: Readonly<Record<string, string>> = {
  'BSD-2-Clause-FreeBSD': 'BSD-2-Clause-Views',
  'BSD-2-Clause-NetBSD': 'BSD-2-Clause',
  'bzip2-1.0.5': 'bzip2-1.0.6',
  'StandardML-NJ': 'SMLNJ',
};

/** `GPL-2.0` and its kin were replaced by `-only`, `GPL-2.0+` by `-or-later`. */
const gnuId = /^(?:A|L)?GPL-[0-9.]+$|^GFDL-[0-9.]+$/;

const successor = (id: string): string => {
  const base = id.replace(/\+$/, '');
  if (gnuId.test(base)) return `${base}${id.endsWith('+') ? '-or-later' : '-only'}`;
  return renamed[id] ?? id;
};

/** SPDX's spelling of one identifier, with a trailing `+` kept; undefined if SPDX does not know it. */
const spdxSpelling = (word: string): string | undefined => {
  const plus = word.endsWith('+') ? '+' : '';
  const id = knownIds.get(word.toLowerCase().slice(0, word.length - plus.length));
  return id === undefined ? undefined : `${id}${plus}`;
};

const isExpression = (text: string): boolean => {
  try {
    parseExpression(text);
    return true;
  } catch {
    return false;
  }
};

/** A license as the registry stores it: SPDX identifiers and expressions in SPDX's spelling, anything else as given. */
export const canonicalLicense = (license: string): string => {
  const respelled = license.replace(
    /[A-Za-z0-9.:+-]+/g,
    (word) => spdxSpelling(word) ?? knownWords.get(word.toLowerCase()) ?? word,
  );
  return isExpression(respelled) ? respelled : license;
};

/** The key under which a license's record stands: identifiers compare case-insensitively, and a deprecated one is its successor. */
export const licenseKey = (name: string): string => {
  const spelled = spdxSpelling(name);
  return (spelled === undefined ? name : successor(spelled)).toLowerCase();
};
