import exceptions from 'spdx-exceptions/index.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import {
  applyException,
  findExceptionEffect,
  knownExceptions,
} from '../../../shared/domain/licenses/exceptions.ts';

describe('the known exceptions', () => {
  it('are all of the SPDX list, each once', () => {
    const spdx = exceptions.map((id) => id.toLowerCase());

    expect(knownExceptions.filter((id) => !spdx.includes(id))).toEqual([]);
    expect(new Set(knownExceptions).size).toBe(knownExceptions.length);
  });

  it.each([
    ['Classpath-exception-2.0', 'linking'],
    ['gcc-exception-3.1', 'linking'],
    ['Bison-exception-2.2', 'output'],
    ['LLVM-exception', 'interoperation'],
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
