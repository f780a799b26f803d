import { describe, expect, it } from 'vitest';
import {
  describeActor,
  describeEventActor,
  describeSubmitter,
} from '../../../shared/domain/tokens/describe-actor.ts';

const byToken = { by: 'alice', token_label: 'ci' };

describe('a submitter', () => {
  it('is shown after the label that the registry confirms', () => {
    expect(describeSubmitter(byToken)).toBe('ci for alice');
  });

  it.each<[string | null, string | null | undefined, string | null]>([
    ['ci', 'ci', 'ci'],
    ['alice', null, 'alice'],
    ['alice', undefined, 'alice'],
    [null, 'ci', null],
  ])('%j with the label %j is shown as %j', (by, token_label, shown) => {
    expect(describeSubmitter({ by, token_label })).toBe(shown);
  });
});

it('shows other actors before the label', () => {
  expect(describeActor(byToken)).toBe('alice (token ci)');
});

it.each([
  ['package.submitted', 'ci for alice'],
  ['package.approved', 'alice (token ci)'],
])('shows the actor of %s as %s', (type, shown) => {
  expect(describeEventActor({ ...byToken, type })).toBe(shown);
});
