import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RegistryError } from '../../../shared/domain/errors.ts';
import {
  checkDeciderName,
  checkSubmitterName,
  type NameGiver,
} from '../../../shared/domain/tokens/given-name.ts';

const labels = ['ci', 'alice', 'bob.miller@example.com', 'Release-10', 'modern'];
const giver: NameGiver = { actor: { label: 'ci', fingerprint: '0' }, labels };

/** The message of the refusal; undefined where the name is taken. */
const refusalOf = (check: () => void): string | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as RegistryError).message;
  }
};
const decide = (name: string | null | undefined, fourEyes = false, from = giver) =>
  refusalOf(() => checkDeciderName({ field: 'approved_by', name }, from, { fourEyes }));
const submit = (name: string | null | undefined, from = giver) =>
  refusalOf(() => checkSubmitterName({ field: 'submitted_by', name }, from));

/** Ways to write the label `alice` that a reader would take for it. */
const spoofs: readonly (readonly [string, string])[] = [
  ['Cyrillic letters', '\u0430l\u0456\u0441e'],
  ['Cyrillic capitals', '\u0410LI\u0421E'],
  ['full-width letters', '\uff41\uff4c\uff49\uff43\uff45'],
  ['mathematical letters', '\u{1d41a}lice'],
  ['a capital I for an l', 'aIice'],
  ['a 1 for an l', 'a1ice'],
  ['a dotless i', 'al\u0131ce'],
  ['a dotted capital I', 'al\u0130ce'],
  ['a Greek alpha', '\u03b1lice'],
  ['small capitals', '\u1d00\u029f\u026a\u1d04\u1d07'],
  ['a blank inside', 'al ice'],
  ['a no-break space behind it', 'alice\u00a0'],
  ['a Braille blank', 'al\u2800ice'],
  ['a zero-width space', 'al\u200bice'],
  ['a soft hyphen', 'al\u00adice'],
];

describe('the name of who decides', () => {
  it.each([undefined, null, 'ci'])('is taken where it is %j: that is the own token', (name) => {
    expect(decide(name)).toBeUndefined();
    expect(decide(name, true)).toBeUndefined();
  });

  it.each([
    'ana@example.com',
    'Alicia',
    'alice2',
    'CI team',
    'Zo\u00eb',
    '\u0418\u0432\u0430\u043d',
  ])('is taken where it looks like no label: %j', (name) => {
    expect(decide(name)).toBeUndefined();
  });

  it.each<readonly [string, string]>([
    ['the label itself', 'alice'],
    ['another case', 'ALICE'],
    ...spoofs,
  ])('is refused where it is the label of another token in %s', (_, name) => {
    expect(decide(name)).toContain('approved_by: looks like the label of another token');
  });

  it.each([
    ['bob.mi11er@examp1e.com', 'digits'],
    ['bob.rniller@example.com', 'r and n'],
    ['b\u03bfb.miller@example\u2024com', 'other signs'],
    ['release\u201310', 'a dash'],
    ['Release-lO', 'letters for digits'],
    ['modem', 'one letter for two'],
  ])('is refused for %j: %s', (name) => {
    expect(decide(name)).toContain('looks like the label');
  });

  it('says no label that it did not have from the request', () => {
    expect(decide('\u0430lice')).not.toContain('alice');
  });

  it.each(['alice', 'CI', 'ci ', 'ana@example.com', 'c\u0456'])(
    'is the label where four eyes are demanded, and not %j',
    (name) => {
      expect(decide(name, true)).toContain('approved_by: must be "ci", the label of your token');
    },
  );

  it('is taken whatever it is while there are no tokens', () => {
    const anyone = { actor: { label: null, fingerprint: null }, labels: [] };

    expect(decide('alice', false, anyone)).toBeUndefined();
  });

  it('is refused for a token without a label, too', () => {
    const nobody = { actor: { label: null, fingerprint: '1' }, labels };

    expect(decide('ci', false, nobody)).toContain('looks like the label');
  });

  it('never differs from a label in case, blanks and width alone', () => {
    const disguises = [
      (text: string) => text.toUpperCase(),
      (text: string) => ` ${text}`,
      (text: string) =>
        text.replaceAll(/[!-~]/g, (one) =>
          String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0),
        ),
      (text: string) => [...text].join('\u200b'),
    ];
    const Label = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9@._-]{1,20}$/);
    fc.assert(
      fc.property(Label, fc.subarray(disguises), (label, some) => {
        const name = some.reduce((text, disguise) => disguise(text), label);

        expect(decide(name, false, { ...giver, labels: [label] })).toBeDefined();
      }),
    );
  });
});

describe('the name of who submits', () => {
  it.each(['alice', 'Alice', ' ALICE ', 'bob.miller@example.com', 'ana@example.com', null])(
    'may be %j, also where that is a label: programs submit for people',
    (name) => {
      expect(submit(name)).toBeUndefined();
    },
  );

  it.each(spoofs.filter(([, name]) => name.trim() !== 'alice'))(
    'is refused where it only looks like a label, by %s',
    (_, name) => {
      expect(submit(name)).toContain('submitted_by: looks like the label');
    },
  );
});
