import type { SignedDecision } from '../../domain/attestations/decision-statement.ts';
import type { Envelope } from '../../domain/attestations/dsse.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { batchGet, queryPage } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem } from '../dynamodb/write.ts';
import { putOnce } from '../dynamodb/write-alone.ts';

/** Attestation of a decision: its signed statement. It is immutable, and stays when a later decision replaces the decision. */
interface AttestationItem extends Pick<SignedDecision, 'id' | 'type' | 'at' | 'to'> {
  readonly v: string;
  readonly k: string;
  /** Packed envelope. */
  readonly envelope: Uint8Array;
}

/** Attestation with the fields that identify its decision. */
export interface Attestation extends Pick<SignedDecision, 'id' | 'type' | 'at' | 'to'> {
  readonly envelope: Envelope;
}

const attestationsTable = defineTable<AttestationItem>('reviews');

const prefix = 'attestation#';

/** Returns the key of a decision's attestation. Those of a version are sorted by time. */
const toKey = (decision: PackageId & Pick<SignedDecision, 'id' | 'at'>) => ({
  v: toVersionKey(decision),
  k: `${prefix}${decision.at} ${decision.id}`,
});

/** Packs an envelope with its payload as text, which compresses better than base64. */
const packEnvelope = (envelope: Envelope): Buffer =>
  pack({ ...envelope, payload: Buffer.from(envelope.payload, 'base64').toString() });

const unpackEnvelope = (bytes: Uint8Array): Envelope => {
  const { payload, ...rest } = unpack(bytes) as Envelope;
  return { ...rest, payload: Buffer.from(payload).toString('base64') };
};

/** Stores the attestation of a decision, unless the decision has one: a repetition keeps the first one. */
export const saveAttestation = async (
  decision: SignedDecision,
  envelope: Envelope,
): Promise<void> => {
  const { id, type, at, to } = decision;
  const item = { ...toKey(decision), ...{ id, type, at, to }, envelope: packEnvelope(envelope) };
  await putOnce(
    putItem(attestationsTable, item, { ConditionExpression: 'attribute_not_exists(v)' }),
  );
};

/** Returns the newest attestation of a version; undefined if no decision on it was signed. */
export const findNewestAttestation = async (id: PackageId): Promise<Attestation | undefined> => {
  const range = {
    KeyConditionExpression: 'v = :version AND begins_with(k, :prefix)',
    ExpressionAttributeValues: { ':version': toVersionKey(id), ':prefix': prefix },
    ScanIndexForward: false,
  };
  const { items } = await queryPage(attestationsTable, range, { limit: 1 });
  const [item] = items;
  return item && { ...item, envelope: unpackEnvelope(item.envelope) };
};

/** Returns the ids of the decisions that have an attestation. */
export const findSigned = async (
  decisions: readonly SignedDecision[],
): Promise<ReadonlySet<string>> => {
  const found = await batchGet(attestationsTable, decisions.map(toKey), { eventual: true });
  return new Set(found.map(({ id }) => id));
};
