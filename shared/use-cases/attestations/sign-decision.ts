import {
  isSignedEvent,
  makeStatement,
  type SignedDecision,
} from '../../domain/attestations/decision-statement.ts';
import { encodeForSignature, statementMediaType } from '../../domain/attestations/dsse.ts';
import { findKeyId } from '../../domain/attestations/public-jwk.ts';
import { makeSubjects } from '../../domain/attestations/subjects.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import { decisions } from '../../domain/review/status.ts';
import { getPublicKey, signBytes } from '../../platform/signing/signing-key.ts';
import { saveAttestation } from '../../storage/attestations/attestation-items.ts';
import { findRecordedPin } from '../../storage/decisions/recorded-pin.ts';
import type { RecordItem } from '../../storage/decisions/records.ts';
import { findManifest } from '../../storage/reviews/facts-items.ts';

/** Decision to sign, and the digest of the upstream metadata whose files it concerns. */
export interface UnsignedDecision {
  readonly decision: SignedDecision;
  readonly pinned: string | undefined;
}

/** Returns the decision of a record; undefined for records of other events. */
export const toUnsignedDecision = (record: RecordItem): UnsignedDecision | undefined => {
  const { type, ecosystem, name, version } = record;
  const to = decisions.find((decision) => decision === record.to);
  if (!isSignedEvent(type) || !to || !ecosystem || !name || !version) return undefined;
  const from = record.from as SignedDecision['from'];
  const decision = { ...record, type, ecosystem, name, version, to, from };
  return { decision, pinned: findRecordedPin(record) };
};

/** Error of a decision for which no statement can be made. A repetition would fail as well. */
export class UnsignableError extends Error {
  override readonly name = 'UnsignableError';
}

const makePayload = (decision: SignedDecision, manifest: Manifest | null): Buffer => {
  try {
    const statement = makeStatement(decision, makeSubjects(decision, manifest));
    return Buffer.from(JSON.stringify(statement));
  } catch (cause) {
    throw new UnsignableError('No statement can be made of the decision', { cause });
  }
};

/**
 * Signs a decision, and stores its attestation. A repetition keeps the first attestation.
 * @throws {UnsignableError} if no statement can be made; other errors may pass
 */
export const signDecision = async ({ decision, pinned }: UnsignedDecision): Promise<void> => {
  const manifest = pinned === undefined ? null : await findManifest(decision, pinned);
  const payload = makePayload(decision, manifest);
  const signature = await signBytes(encodeForSignature(statementMediaType, payload));
  await saveAttestation(decision, {
    payloadType: statementMediaType,
    payload: payload.toString('base64'),
    signatures: [
      {
        keyid: findKeyId(await getPublicKey()),
        sig: Buffer.from(signature).toString('base64'),
      },
    ],
  });
};
