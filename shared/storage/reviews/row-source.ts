import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { AutomaticSubmission } from '../../domain/review/automatic-submission.ts';
import type { ReviewState } from './review-state.ts';

/** Fields that a review state must have, so that its rows are known. */
const requiredFields = [
  'status',
  'submitted_at',
  'submitted_by',
  'submitter',
  'batches',
  'revision',
] as const satisfies readonly (keyof ReviewState)[];

/** Further fields that rows follow from. */
const furtherFields = [
  'sources',
  'counts',
  'accepted',
  'recall',
  'accepted_recalls',
  'facts',
  'license',
  'normalization',
  'upstream_normalization',
] as const satisfies readonly (keyof ReviewState)[];

type RequiredField = (typeof requiredFields)[number];
type FurtherField = (typeof furtherFields)[number];

/** Fields of a review state that its rows in the lists of reviews follow from. */
export type RowSource = Pick<ReviewState, RequiredField> &
  Partial<Pick<ReviewState, FurtherField>> & {
    readonly automatic?: Pick<AutomaticSubmission, 'cause'>;
  };

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

const isRowSource = (value: Readonly<Record<string, unknown>>): boolean => {
  const { status, submitted_at, submitted_by, submitter, batches, revision, sources } = value;
  return (
    [status, submitted_at].every((one) => typeof one === 'string') &&
    [submitted_by, submitter].every(isTextOrNull) &&
    [batches, sources].every((one) => Array.isArray(one)) &&
    typeof revision === 'number'
  );
};

/** Returns the source of rows from an image of a stream, in DynamoDB's own JSON; undefined for a missing or damaged one. */
export const readRowSource = (image: unknown): RowSource | undefined => {
  if (typeof image !== 'object' || image === null) return undefined;
  const wanted: readonly string[] = [...requiredFields, ...furtherFields, 'automatic'];
  const fields = Object.entries(image).filter(([name]) => wanted.includes(name));
  try {
    const source = unmarshall(Object.fromEntries(fields) as Record<string, AttributeValue>);
    return isRowSource(source) ? (source as RowSource) : undefined;
  } catch {
    return undefined;
  }
};
