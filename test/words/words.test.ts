import { describe, expect, it } from 'vitest';
import { findAll, otherRules } from './find-words.ts';
import { phrases } from './phrases.ts';
import { splitSentences } from './sentences.ts';
import { joinLines, listDocstrings } from './texts.ts';

const instead: Readonly<Record<string, string>> = {
  ...otherRules,
  ...Object.fromEntries(phrases.map((phrase) => [phrase.name, phrase.instead])),
};

describe('the words of the project', () => {
  it('follow the rules', () => {
    const faults = findAll().map(
      ({ file, rule, around }) => `${file}: "${around}" (${rule}; write ${instead[rule]})`,
    );

    expect(faults).toEqual([]);
  });

  it('find a phrase across the lines of a comment', () => {
    const text = '/**\n * What stands in\n * the way.\n */';

    expect(joinLines(text)).toContain('stands in the way');
  });
});

describe('sentences', () => {
  it('end at a full stop, and neither in code nor in a number', () => {
    const text = 'It costs 3.50 USD. See `a. B` for more! (It is short.) Version 2 follows';

    expect(splitSentences(text)).toHaveLength(4);
  });

  it('of docstrings are read without stars and tags', () => {
    const content = 'const a = 1;\n/**\n * Returns it.\n *\n * @param a what\n */\n';

    expect(listDocstrings({ file: 'a.ts', content })).toEqual([
      { file: 'a.ts', line: 2, text: 'Returns it.' },
    ]);
  });
});
