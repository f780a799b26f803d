import { describe, expect, it } from 'vitest';
import {
  describeEnd,
  describeFailure,
  describeRefusal,
} from '../../console/session/account-errors.ts';

const issuer = 'https://id.example.com';

const refusal = (fields: object): Error => Object.assign(new Error('refused'), fields);

describe('the error of a sign-in', () => {
  it.each<[string, unknown, string]>([
    [
      'a refusal with a reason',
      refusal({ error: 'x', error_description: 'Not you.' }),
      `${issuer} did not sign you in: Not you. Try`,
    ],
    [
      'a refusal without a reason',
      refusal({ error: 'invalid_grant' }),
      'did not sign you in: invalid_grant. Try',
    ],
    ['no answer', new TypeError('Failed to fetch'), `${issuer} cannot be reached`],
    ['no answer in time', new DOMException('late', 'TimeoutError'), `${issuer} cannot be reached`],
    ['blocked storage', new DOMException('no', 'SecurityError'), 'This browser blocks the storage'],
    [
      'an answer without an ID token',
      new Error('The provider returned no ID token'),
      `The answer of ${issuer} to the sign-in is not valid: The provider returned no ID token. Try`,
    ],
    ['something else', 'odd', 'is not valid: odd. Try'],
  ])('names %s, and what to do', (_, error, message) => {
    expect(describeFailure(error, issuer)).toContain(message);
  });

  it('has at most 300 characters of the provider', () => {
    const message = describeRefusal({ error_description: 'x'.repeat(10_000) }, issuer);

    expect(message.match(/x+\./)?.[0]).toHaveLength(301);
  });

  it('names a refusal without any field', () => {
    expect(describeRefusal({}, issuer)).toContain('did not sign you in: it gave no reason.');
  });
});

describe('the end of a session', () => {
  it.each<[string, unknown, string]>([
    ['its expiry', undefined, 'Your sign-in has expired. Sign in again.'],
    [
      'a refused renewal',
      refusal({ error: 'invalid_grant' }),
      `${issuer} no longer renews your sign-in. Sign in again.`,
    ],
    [
      'a provider that is down',
      new TypeError('Failed to fetch'),
      `${issuer} cannot be reached, so your sign-in could not be renewed. Sign in again later.`,
    ],
    [
      'an odd answer',
      new Error('It is odd'),
      `The answer of ${issuer} to the sign-in is not valid: It is odd.`,
    ],
  ])('names %s', (_, error, message) => {
    expect(describeEnd(error, issuer)).toContain(message);
  });
});
