import { randomUUID } from 'node:crypto';
import type { Actor } from '../../domain/actor.ts';
import { defineTable } from '../table.ts';
import { putItem, type Write } from '../write.ts';

/** The record of one decision, which stays as it is for ever. */
export interface DecisionRecord {
  /** Who decided, for people; null where nobody said. */
  readonly by: string | null;
  readonly from: string | null;
  readonly to: string;
  readonly reason: string | null;
  /** The codes of what stood in the way and was overridden. */
  readonly overridden?: readonly string[];
  /** What was said of a license of the organisation's own. */
  readonly facts?: object | undefined;
}

interface DecisionItem extends DecisionRecord {
  readonly package_key: string;
  readonly decision_key: string;
  /** ISO 8601. */
  readonly at: string;
  readonly token_label: string | null;
  readonly token_fingerprint: string | null;
}

const decisionsTable = defineTable<DecisionItem>('decisions');

/** Adds a record under a package version's key, or `license#` and a license's. */
export const addDecision = (
  subject: string,
  record: DecisionRecord,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Write => {
  const at = now.toISOString();
  const item = {
    ...record,
    package_key: subject,
    // Not the version's revision: that goes back when packages are restored, and the record of then must stay.
    decision_key: `${at} ${randomUUID()}`,
    at,
    token_label: actor.label,
    token_fingerprint: actor.fingerprint,
  };
  return putItem(decisionsTable, item, {
    ConditionExpression: 'attribute_not_exists(package_key)',
  });
};
