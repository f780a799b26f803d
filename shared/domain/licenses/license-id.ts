import exceptions from 'spdx-exceptions/index.json' with { type: 'json' };
import parseExpression from 'spdx-expression-parse';
import deprecated from 'spdx-license-ids/deprecated.json' with { type: 'json' };
import current from 'spdx-license-ids/index.json' with { type: 'json' };

const byLowerCase = (ids: readonly string[]): Map<string, string> =>
  new Map(ids.map((id) => [id.toLowerCase(), id]));

const knownIds = byLowerCase([...current, ...deprecated]);
/** SPDX exceptions that the `spdx-exceptions` package lacks, up to version 3.29 of SPDX's license list. */
export const newerExceptions: readonly string[] = [
  'Asterisk-linking-protocols-exception CGAL-linking-exception Classpath-exception-2.0-short',
  'Digia-Qt-LGPL-exception-1.1 erlang-otp-linking-exception Google-Patent-WebM GPL-3.0-389-ds-base-exception',
  'harbour-exception Independent-modules-exception kvirc-openssl-exception PCRE2-exception polyparse-exception',
  'romic-exception RRDtool-FLOSS-exception-2.0 rsync-linking-exception Simple-Library-Usage-exception',
  'Spelling-Provider-LGPL-exception sqlitestudio-OpenSSL-exception',
].flatMap((line) => line.split(' '));

const knownExceptions = byLowerCase([...exceptions, ...newerExceptions]);
const knownWords = byLowerCase([
  ...[...current, ...deprecated, ...exceptions, ...newerExceptions],
  ...['AND', 'OR', 'WITH'],
]);

/**
 * Successors of deprecated identifiers, according to "Deprecated License Identifiers" of spdx.org/licenses and
 * `obsoletedBy` in its license files. Net-SNMP has no successor: the identifier covers a growing set of licenses.
 */
const successors: Readonly<Record<string, string>> = {
  'BSD-2-Clause-FreeBSD': 'BSD-2-Clause-Views',
  'BSD-2-Clause-NetBSD': 'BSD-2-Clause',
  'bzip2-1.0.5': 'bzip2-1.0.6',
  'eCos-2.0': 'GPL-2.0-or-later WITH eCos-exception-2.0',
  'GPL-2.0-with-autoconf-exception': 'GPL-2.0-only WITH Autoconf-exception-2.0',
  'GPL-2.0-with-bison-exception': 'GPL-2.0-only WITH Bison-exception-2.2',
  'GPL-2.0-with-classpath-exception': 'GPL-2.0-only WITH Classpath-exception-2.0',
  'GPL-2.0-with-font-exception': 'GPL-2.0-only WITH Font-exception-2.0',
  'GPL-2.0-with-GCC-exception': 'GPL-2.0-only WITH GCC-exception-2.0',
  'GPL-3.0-with-autoconf-exception': 'GPL-3.0-only WITH Autoconf-exception-3.0',
  'GPL-3.0-with-GCC-exception': 'GPL-3.0-only WITH GCC-exception-3.1',
  Nunit: 'zlib-acknowledgement',
  'StandardML-NJ': 'SMLNJ',
  wxWindows: 'GPL-2.0-or-later WITH WxWindows-exception-3.1',
};

/**
 * Matches deprecated GNU identifiers: `GPL-2.0` was replaced by `GPL-2.0-only`, and `GPL-2.0+` by `GPL-2.0-or-later`.
 */
const gnuId = /^(?:A|L)?GPL-[0-9.]+$|^GFDL-[0-9.]+$/;

const findSuccessor = (id: string): string => {
  const base = id.replace(/\+$/, '');
  const plus = id.endsWith('+');
  if (gnuId.test(base)) return `${base}${plus ? '-or-later' : '-only'}`;
  if (/-or-later$/.test(base)) return base;
  if (plus && /^(?:A|L)?GPL-.*-only$/.test(base)) return base.replace(/-only$/, '-or-later');
  const replacement = successors[base];
  return replacement === undefined ? id : addPlus(replacement, plus);
};

const addPlus = (replacement: string, plus: boolean): string =>
  plus ? replacement.replace('-only WITH ', '-or-later WITH ') : replacement;

/** Returns SPDX's spelling of an identifier, including a trailing `+`. Returns undefined for unknown identifiers. */
const findSpelling = (word: string): string | undefined => {
  const plus = word.endsWith('+') ? '+' : '';
  const id = knownIds.get(word.toLowerCase().slice(0, word.length - plus.length));
  return id === undefined ? undefined : `${id}${plus}`;
};

const respellLicense = (license: string): string =>
  license.replace(
    /[A-Za-z0-9.:+-]+/g,
    (word) =>
      findSpelling(word) ??
      knownWords.get(word.toLowerCase()) ??
      word.replace(/^licenseref-/i, 'LicenseRef-'),
  );

/** Replaces newer exceptions with one that the parser knows. The parser treats all exceptions alike. */
const replaceNewer = (text: string): string =>
  newerExceptions.reduce((result, id) => result.replaceAll(` ${id}`, ' LLVM-exception'), text);

const isExpression = (text: string): boolean => {
  try {
    parseExpression(replaceNewer(text));
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns a license as the registry stores it: SPDX identifiers and expressions in SPDX's spelling, other texts
 * unchanged.
 */
export const spellLicense = (license: string): string => {
  const spelled = respellLicense(license);
  return isExpression(spelled) ? spelled : license;
};

/**
 * Returns the current SPDX identifier of a name: its SPDX spelling, or the successor of a deprecated identifier.
 * Returns undefined if SPDX does not know it.
 */
export const findCurrentLicense = (name: string): string | undefined => {
  const spelled = findSpelling(name);
  return spelled === undefined ? undefined : findSuccessor(spelled);
};

/** Returns an exception in SPDX's spelling, or undefined if SPDX does not know it. */
export const findException = (name: string): string | undefined =>
  knownExceptions.get(name.toLowerCase());
