import { describe, expect, it } from 'vitest';
import { generateSecret } from '../src/secrets/generate-secret.ts';
import type { SecretGeneration } from '../src/template/model.ts';

const defaults: SecretGeneration = {
  ExcludeCharacters: '',
  ExcludeLowercase: false,
  ExcludeNumbers: false,
  ExcludePunctuation: false,
  ExcludeUppercase: false,
  IncludeSpace: false,
  PasswordLength: 32,
  RequireEachIncludedType: true,
};

describe('a generated secret', () => {
  it.each<[string, Partial<SecretGeneration>, RegExp]>([
    ['printable characters without rules', {}, /^[!-~]{32}$/],
    ['as many characters as wanted', { PasswordLength: 7 }, /^.{7}$/],
    ['no punctuation', { ExcludePunctuation: true }, /^[a-zA-Z0-9]{32}$/],
    [
      'digits alone',
      { ExcludeLowercase: true, ExcludeUppercase: true, ExcludePunctuation: true },
      /^[0-9]{32}$/,
    ],
    ['none of some characters', { ExcludeCharacters: '"@/\\' }, /^[^"@/\\]{32}$/],
    [
      'every kind of character, however short it is',
      { PasswordLength: 4 },
      /^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[!-/:-@[-`{-~]).{4}$/,
    ],
    ['a blank where blanks are wanted', { IncludeSpace: true, PasswordLength: 5 }, /^(?=.* ).{5}$/],
  ])('has %s', (_, rules, pattern) => {
    const secrets = Array.from({ length: 20 }, () => generateSecret({ ...defaults, ...rules }));

    for (const secret of secrets) expect(secret).toMatch(pattern);
    expect(new Set(secrets).size).toBe(20);
  });

  it('stands under its key in the JSON template', () => {
    const rules = { SecretStringTemplate: { user: 'ann' }, GenerateStringKey: 'password' };

    const secret = generateSecret({ ...defaults, ...rules });

    expect(JSON.parse(secret)).toEqual({ user: 'ann', password: expect.stringMatching(/^.{32}$/) });
  });

  it('cannot be made of no characters', () => {
    const nothing = { ExcludeCharacters: '0123456789', ExcludeLowercase: true };
    const rules = { ...defaults, ...nothing, ExcludeUppercase: true, ExcludePunctuation: true };

    expect(() => generateSecret(rules)).toThrow('cannot be made of no characters');
  });
});
