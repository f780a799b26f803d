import { expect, it } from 'vitest';
import { verifyAttestation } from '../../../cli/commands/verify/verify-attestation.ts';
import { attestation, keySet } from '../../../shared/api/openapi/examples/attestation.ts';
import { predicateType } from '../../../shared/domain/attestations/decision-statement.ts';
import { findKeyId } from '../../../shared/domain/attestations/public-jwk.ts';

it('the example of the document is genuine', () => {
  const { statement, key } = verifyAttestation(attestation, keySet.keys);

  expect(statement).toMatchObject({ predicateType, predicate: { decision: 'approved' } });
  expect(key).toBe(keySet.keys[0]?.kid);
});

it('the id of a key is its thumbprint (RFC 7638)', () => {
  // The key of RFC 7517, A.1. Other libraries compute this thumbprint.
  const key = {
    kty: 'EC',
    crv: 'P-256',
    x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
    y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  } as const;

  expect(findKeyId(key)).toBe('cn-I_WNMClehiVp51i_0VpOENW1upEerA8sEam5hn-s');
});
