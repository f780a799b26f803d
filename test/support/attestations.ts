import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Attestation, KeySet } from '../../shared/api/schemas/attestation.ts';
import {
  type DecisionStatement,
  makeStatement,
  type SignedDecision,
} from '../../shared/domain/attestations/decision-statement.ts';
import { encodeForSignature, statementMediaType } from '../../shared/domain/attestations/dsse.ts';
import { findKeyId, readPublicKey } from '../../shared/domain/attestations/public-jwk.ts';

/** A key for signatures, and its public part as `GET /keys` shows it. */
export interface SigningPair {
  readonly privateKey: KeyObject;
  readonly key: KeySet['keys'][number];
}

export const makeSigningPair = (): SigningPair => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = readPublicKey(publicKey.export({ format: 'der', type: 'spki' }));
  return { privateKey, key: { ...jwk, kid: findKeyId(jwk), use: 'sig', alg: 'ES256' } };
};

/** Signs any statement as the worker does. */
export const attest = ({ privateKey, key }: SigningPair, statement: unknown): Attestation => {
  const payload = Buffer.from(JSON.stringify(statement));
  const signature = sign('sha256', encodeForSignature(statementMediaType, payload), privateKey);
  return {
    payloadType: statementMediaType,
    payload: payload.toString('base64'),
    signatures: [{ keyid: key.kid, sig: signature.toString('base64') }],
  };
};

/** The file of the package in `makeDecision`. */
export const tarball = Buffer.from('the tarball of left-pad');

/** A signed approval of left-pad, with the digests of `tarball`. */
export const makeDecisionStatement = (
  changes: Partial<SignedDecision> = {},
  digest: Readonly<Record<string, string>> = {
    sha512: createHash('sha512').update(tarball).digest('hex'),
  },
): DecisionStatement =>
  makeStatement(
    {
      ...{ ecosystem: 'npm', name: 'left-pad', version: '1.3.0' },
      ...{ id: 'r-1', type: 'package.approved', at: '2026-01-31T09:00:00.000Z' },
      ...{ from: 'pending', to: 'approved', by: 'ana@example.com', token_label: 'security' },
      reason: 'needed by the shop',
      ...changes,
    },
    { subjects: [{ name: 'pkg:npm/left-pad@1.3.0', digest }], omitted: 0 },
  );
