import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { ReviewState } from './review-state.ts';

/** Returns the upstream metadata and scan sources of a review state, from its image in DynamoDB's own JSON. */
export const parseImage = (
  image: Readonly<Record<string, unknown>>,
): Pick<ReviewState, 'facts' | 'sources'> => {
  const { facts, sources } = unmarshall(image as Record<string, AttributeValue>);
  return { facts, sources };
};
