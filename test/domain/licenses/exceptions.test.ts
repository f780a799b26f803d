import exceptions from 'spdx-exceptions/index.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import {
  applyException,
  findExceptionEffect,
  hasUnknownAddition,
  knownExceptions,
} from '../../../shared/domain/licenses/exceptions.ts';
import { formatLicense, listTerms } from '../../../shared/domain/licenses/expression.ts';
import { newerExceptions, spellLicense } from '../../../shared/domain/licenses/license-id.ts';
import { readLicense } from '../../../shared/domain/licenses/normalize/normalize-expression.ts';
import { parseLicense } from '../../../shared/domain/licenses/parse-license.ts';

describe('the exceptions that are newer than the package', () => {
  it('are in no list twice: what the package has learned is to be taken out here', () => {
    expect(newerExceptions.filter((id) => exceptions.includes(id))).toEqual([]);
  });

  it.each<[string, string]>([
    ['bsd-3-clause with pcre2-exception', 'BSD-3-Clause WITH PCRE2-exception'],
    ['gpl-2.0 with cgal-linking-exception', 'GPL-2.0-only WITH CGAL-linking-exception'],
    [
      '(AGPL-3.0-only WITH erlang-otp-linking-exception) OR mit',
      'AGPL-3.0-only WITH erlang-otp-linking-exception OR MIT',
    ],
    ...newerExceptions.map((id): [string, string] => [
      `GPL-3.0-only WITH ${id}`,
      `GPL-3.0-only WITH ${id}`,
    ]),
  ])('are known: %s', (text, reading) => {
    const tree = parseLicense(text);

    expect(tree && formatLicense(tree)).toBe(reading);
    expect(tree && listTerms(tree).some(hasUnknownAddition)).toBe(false);
    expect(readLicense(spellLicense(text))).toBe(reading);
  });

  it('are stored in the spelling of SPDX', () => {
    expect(spellLicense('mit with pcre2-exception')).toBe('MIT WITH PCRE2-exception');
  });
});

describe('the known exceptions', () => {
  it('are all of the SPDX list, each once', () => {
    const spdx = [...exceptions, ...newerExceptions].map((id) => id.toLowerCase());

    expect(knownExceptions.filter((id) => !spdx.includes(id))).toEqual([]);
    expect(new Set(knownExceptions).size).toBe(knownExceptions.length);
  });

  it.each([
    ['Classpath-exception-2.0', 'linking'],
    ['gcc-exception-3.1', 'linking'],
    ['Bison-exception-2.2', 'output'],
    ['LLVM-exception', 'interoperation'],
    ['erlang-otp-linking-exception', 'interoperation'],
    ['Independent-modules-exception', 'linking'],
    ['PCRE2-exception', undefined],
    ['389-exception', undefined],
  ])('say of %s: %s', (exception, effect) => {
    expect(findExceptionEffect(exception)).toBe(effect);
  });
});

it.each([
  ['copyleft', 'Classpath-exception-2.0', 'weak-copyleft'],
  ['copyleft', 'Bison-exception-2.2', 'copyleft'],
  ['copyleft', '389-exception', 'copyleft'],
  ['copyleft', undefined, 'copyleft'],
  ['network-copyleft', 'Classpath-exception-2.0', 'network-copyleft'],
  ['permissive', 'LLVM-exception', 'permissive'],
] as const)('calls %s with %s %s', (category, exception, effective) => {
  expect(applyException(category, exception)).toBe(effective);
});
