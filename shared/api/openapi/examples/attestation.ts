import { statementMediaType } from '../../../domain/attestations/dsse.ts';
import type { Attestation, KeySet } from '../../schemas/attestation.ts';

/** Example of a key. Its private key is lost, so that it signed the example alone. */
const key = {
  kty: 'EC',
  crv: 'P-256',
  x: 'DeOIlkmpwnwHMm7SMReUpfiytC1XjhHXd_75YBawd6I',
  y: 'QlzAKX86y-yO3L4FBuxv-AFBZmEmYfvtnR2kpthfizU',
  kid: 'd1SC2i_GDygLhrtqO0BVlKgCXWoklOkWCgYvd1uspK4',
  use: 'sig',
  alg: 'ES256',
} as const;

export const keySet: KeySet = { keys: [key] };

/** Example of a signed approval. The key of `keySet` verifies it. */
export const attestation: Attestation = {
  payloadType: statementMediaType,
  payload: [
    'eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEiLCJzdWJqZWN0IjpbeyJuYW1lIjoicGtn',
    'Om5wbS9sb2Rhc2hANC4xNy4yMSIsImRpZ2VzdCI6eyJzaGE1MTIiOiJiZjY5MDMxMWVlN2I5NWU3MTNiYTU2ODMy',
    'MmUzNTMzZjJkZDFjYjg4MGIxODllOTlkNGVkZWYxMzU5MmI4MTc2NGRhZWM0M2UyYzU0YzYxZDVjNTU4ZGM1Y2Zi',
    'MzVlY2I4NWI2NTUxOWU3NDAyNmZmMTc2NzViNmY4ZjkxNmY0YSJ9fV0sInByZWRpY2F0ZVR5cGUiOiJ0YWc6cGFj',
    'a2FnZS1yZWdpc3RyeSwyMDI2OmRlY2lzaW9uL3YxIiwicHJlZGljYXRlIjp7ImRlY2lzaW9uIjoiYXBwcm92ZWQi',
    'LCJmcm9tIjoicGVuZGluZyIsInBhY2thZ2UiOnsiZWNvc3lzdGVtIjoibnBtIiwibmFtZSI6ImxvZGFzaCIsInZl',
    'cnNpb24iOiI0LjE3LjIxIn0sImRlY2lkZWRBdCI6IjIwMjYtMTEtMDNUMTQ6MDU6MDAuMDAwWiIsImV4cGlyZXNB',
    'dCI6bnVsbCwiZGVjaWRlZEJ5Ijp7Im5hbWUiOiJzZWN1cml0eUBleGFtcGxlLmNvbSIsInRva2VuTGFiZWwiOiJz',
    'ZWN1cml0eS10ZWFtIn0sInJ1bGUiOm51bGwsInJlYXNvbiI6bnVsbCwib3ZlcnJpZGRlbklzc3VlcyI6W10sIm1h',
    'bHdhcmVSZWNvcmQiOm51bGwsImV2aWRlbmNlIjp7InZlcnNpb24iOiJKdjFwR1owY1EzbTh5VDZzWGJXa1J3Iiwi',
    'c2hhMjU2IjoiNDdkZTNiMzU0NmRhY2RiOGE4NTc0MGM2NWEzN2Y3ZDBhNDg0NDhkZWRhMzBmNWE2YzJjNjlmNWUw',
    'NjNhNzk1OCJ9LCJoaXN0b3J5Ijp7ImlkIjoiUW05azN2WHcyTGhUIiwidHlwZSI6InBhY2thZ2UuYXBwcm92ZWQi',
    'fSwib21pdHRlZEZpbGVzIjowfX0=',
  ].join(''),
  signatures: [
    {
      keyid: key.kid,
      sig: 'MEUCIBKrYFHI2+jRjxF+4vgJZokrWFkTaapIfkgOwx834729AiEAqw8ihIfRbFOW5fEOl2mJzmRmZ5HgjmAS+Gt63Z32Mcg=',
    },
  ],
};
