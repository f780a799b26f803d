import type { PackageId } from '../../domain/packages/package-id.ts';
import { maxBatches } from '../../domain/review/batches.ts';
import { updateItem } from '../dynamodb/write.ts';
import { updateAlone } from '../dynamodb/write-alone.ts';
import { reviewStatesTable, toReviewStateKey } from './review-state.ts';

/** The version is in the batch already, is in enough batches, or has no review state. */
class NothingToJoinError extends Error {
  override readonly name = 'NothingToJoinError';
}

/**
 * Adds a batch to the batches that request a version, and returns true. Changes nothing and returns false if the version has
 * the batch, or has `maxBatches`.
 */
export const joinBatch = async (id: PackageId, batch: string): Promise<boolean> => {
  const write = updateItem(reviewStatesTable, toReviewStateKey(id), {
    change: {
      UpdateExpression: 'SET batches = list_append(batches, :joined)',
      ExpressionAttributeValues: { ':joined': [batch] },
    },
    guard: {
      ConditionExpression:
        'attribute_exists(batches) AND NOT contains(batches, :batch) AND size(batches) < :most',
      ExpressionAttributeValues: { ':batch': batch, ':most': maxBatches },
      refuse: () => new NothingToJoinError('The batch cannot be added'),
    },
  });
  try {
    await updateAlone(write);
    return true;
  } catch (error) {
    if (!(error instanceof NothingToJoinError)) throw error;
    return false;
  }
};
