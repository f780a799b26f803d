import { expect, it } from 'vitest';
import { findOpenQuestions } from '../../../shared/domain/review/comments.ts';

const submitted = { type: 'package.submitted', question: false };
const approved = { type: 'package.approved', question: false };
const comment = { type: 'package.commented', question: false };
const ask = (reason: string) => ({ type: 'package.commented', question: true, reason });

it.each([
  ['the newest question first', [ask('b'), submitted, ask('a')], [ask('b'), ask('a')]],
  ['no question before a decision', [approved, ask('a')], []],
  ['no question before a comment', [comment, ask('a'), submitted], []],
  ['a question after a comment', [ask('b'), comment, ask('a')], [ask('b')]],
  ['nothing without a question', [submitted], []],
])('finds %s', (_, history, open) => {
  expect(findOpenQuestions(history)).toEqual(open);
});
