import { describe, expect, it } from 'vitest';
import {
  formatAcceptedRisk,
  formatValidity,
  parseAcceptedRisk,
  parseValidity,
  readNotAffectedReason,
} from '../../../shared/domain/vulnerabilities/vex-text.ts';

describe('the reason of an acceptance', () => {
  it.each([
    [
      'vulnerable_code_not_in_execute_path: defaultsDeep is never called (VEX by Acme)',
      'vulnerable_code_not_in_execute_path',
      'defaultsDeep is never called (VEX by Acme)',
    ],
    ['component_not_present', 'component_not_present', undefined],
    [
      'code_not_reachable: off (VEX by CycloneDX)',
      'vulnerable_code_not_in_execute_path',
      'off (VEX by CycloneDX)',
    ],
    ['Compiled out (VEX by Acme (Inc))', undefined, 'Compiled out (VEX by Acme (Inc))'],
    ['false_positive (VEX by CycloneDX)', undefined, 'false_positive (VEX by CycloneDX)'],
  ])('says that the product is not affected: %s', (reason, justification, impact) => {
    expect(readNotAffectedReason(reason)).toEqual({ justification, impact });
  });

  it.each([
    'Only used in tests',
    'not_affected: we believe',
    'We have no vulnerable_code_not_present evidence',
    'vulnerable_code_not_presented: x',
    'Tests only (risk accepted by https://registry.example.com)',
    'See VEX by Acme',
  ])('accepts a risk that exists: %s', (reason) => {
    expect(readNotAffectedReason(reason)).toBeUndefined();
  });
});

describe('the notes of a statement', () => {
  const time = '2027-01-31T00:00:00.000Z';

  it.each([
    ['', undefined],
    ['It applies in all packages. ', 'It applies in all packages.'],
  ])('have its end after the text %j', (before, rest) => {
    expect(parseValidity(`${before}${formatValidity(time)}`)).toEqual({ until: time, rest });
  });

  it.each(['', 'Valid until further notice.', 'Valid until 2027-99-99T00:00:00Z.', `${time}.`])(
    'have no end in %j',
    (notes) => {
      expect(parseValidity(notes)).toEqual({ until: undefined, rest: notes });
    },
  );
});

describe('the action statement of an accepted risk', () => {
  it('is read back', () => {
    const risk = { expires_at: '2027-01-31T00:00:00.000Z', reason: 'Tests: only\nuntil then' };

    expect(parseAcceptedRisk(formatAcceptedRisk(risk))).toEqual(risk);
  });

  it.each([
    'Update to 2.0.0',
    'Risk accepted until further notice: x',
    'Risk accepted until 2027-99-99T00:00:00Z: x',
    'We: Risk accepted until 2027-01-31T00:00:00Z: x',
  ])('is no other text: %s', (statement) => {
    expect(parseAcceptedRisk(statement)).toBeUndefined();
  });
});
