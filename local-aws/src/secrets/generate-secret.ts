/** Generates a secret's first value by the template's rules: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-secretsmanager-secret-generatesecretstring.html */
import { randomInt } from 'node:crypto';
import { StartError } from '../start-error.ts';
import type { SecretGeneration } from '../template/model.ts';

const lowercase = 'abcdefghijklmnopqrstuvwxyz';
const punctuation = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** Returns the permitted characters, grouped by kind. */
const listKinds = (rules: SecretGeneration): readonly string[] =>
  [
    rules.ExcludeLowercase ? '' : lowercase,
    rules.ExcludeUppercase ? '' : lowercase.toUpperCase(),
    rules.ExcludeNumbers ? '' : '0123456789',
    rules.ExcludePunctuation ? '' : punctuation,
    rules.IncludeSpace ? ' ' : '',
  ]
    .map((kind) => [...kind].filter((one) => !rules.ExcludeCharacters.includes(one)).join(''))
    .filter((kind) => kind !== '');

const pick = (characters: string): string => characters[randomInt(characters.length)] ?? '';

const shuffle = (characters: readonly string[]): readonly string[] => {
  const left = [...characters];
  return characters.flatMap(() => left.splice(randomInt(left.length), 1));
};

/** @throws {StartError} if every character is excluded */
const generatePassword = (rules: SecretGeneration): string => {
  const kinds = listKinds(rules);
  if (kinds.length === 0) throw new StartError('a secret cannot be made of no characters at all');
  const required = rules.RequireEachIncludedType ? kinds.map(pick) : [];
  const others = Math.max(0, rules.PasswordLength - required.length);
  const all = kinds.join('');
  return shuffle([...required, ...Array.from({ length: others }, () => pick(all))]).join('');
};

/** Returns the text of a new secret: a password, or the JSON template with the password under its key. */
export const generateSecret = (rules: SecretGeneration): string => {
  const password = generatePassword(rules);
  const { GenerateStringKey: key, SecretStringTemplate: template } = rules;
  return key === undefined ? password : JSON.stringify({ ...template, [key]: password });
};
