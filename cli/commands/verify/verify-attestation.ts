import { createPublicKey, verify } from 'node:crypto';
import { Attestation } from '../../../shared/api/schemas/attestation.ts';
import { encodeForSignature } from '../../../shared/domain/attestations/dsse.ts';
import { findKeyId, type PublicJwk } from '../../../shared/domain/attestations/public-jwk.ts';
import { parseJson } from '../../../shared/util/json.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { Statement } from '../../presentation/signed-decision.ts';

/** Statement with a valid signature, and the id of the key that made it. */
export interface Verified {
  readonly statement: Statement;
  readonly key: string;
}

const distrust = 'Do not trust it.';

/** @throws {NegativeResultError} for other content than an envelope with a statement */
const readAttestation = (content: unknown): Attestation => {
  const { data, error } = Attestation.safeParse(content);
  if (data) return data;
  const [issue] = error.issues;
  throw new NegativeResultError(
    `The file is no signed decision: ${issue?.path.join('.') || 'the document'}: ${issue?.message}.`,
    ['Save one with: registry attestation NAME@VERSION --json > FILE'],
  );
};

/** @throws {NegativeResultError} for a statement of another kind */
const parseStatement = (payload: Buffer): Statement => {
  const { data, error } = Statement.safeParse(parseJson(payload.toString()));
  if (data) return data;
  const [issue] = error.issues;
  throw new NegativeResultError(
    `The signature is valid, but the statement is no decision of a registry: ${issue?.path.join('.')}: ${issue?.message}.`,
    ['Another version of the command line may know it.'],
  );
};

/**
 * Checks the signature of an attestation with trusted keys, and then its content. The id of each key is computed from the
 * key, so that a wrong id in the list of keys cannot exchange keys.
 * @throws {NegativeResultError} with the reason, if the attestation is not to be trusted
 */
export const verifyAttestation = (content: unknown, trusted: readonly PublicJwk[]): Verified => {
  const { payloadType, payload: encoded, signatures } = readAttestation(content);
  const payload = Buffer.from(encoded, 'base64');
  const signed = encodeForSignature(payloadType, payload);
  const byId = new Map(trusted.map((key) => [findKeyId(key), key]));
  const known = signatures.flatMap(({ keyid, sig }) => {
    const key = byId.get(keyid);
    return key ? [{ keyid, key, signature: Buffer.from(sig, 'base64') }] : [];
  });
  if (known.length === 0) {
    const named = signatures.map(({ keyid }) => keyid).join(', ') || 'no key';
    throw new NegativeResultError(
      `No trusted key signed the statement. It names ${named}; the trusted keys are ${[...byId.keys()].join(', ') || 'none'}.`,
      [`${distrust} Or the key belongs to another registry, or the registry has a new key.`],
    );
  }
  const valid = known.find(({ key, signature }) =>
    verify('sha256', signed, createPublicKey({ key: { ...key }, format: 'jwk' }), signature),
  );
  if (!valid) {
    throw new NegativeResultError(
      'The signature does not match the statement: one of them was changed or forged.',
      [distrust],
    );
  }
  return { statement: parseStatement(payload), key: valid.keyid };
};
