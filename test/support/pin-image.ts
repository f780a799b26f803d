import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DockerImage } from '../../shared/domain/facts/manifest.ts';
import { putPinnedHashes } from '../../shared/storage/reviews/pinned-hashes.ts';
import { toReviewStateKey } from '../../shared/storage/reviews/review-state.ts';
import { databaseOf } from './database.ts';
import type { TestRegistry } from './registry.ts';

const factsDigest = 'the-digest-of-the-metadata';

/** Makes the approval of an image pin a digest, as upstream metadata before the approval does. */
export const pinImage = async (
  registry: TestRegistry,
  { name, version }: { readonly name: string; readonly version: string },
  digest: string,
  images: readonly DockerImage[] = [],
): Promise<void> => {
  const id = { ecosystem: 'docker', name, version } as const;
  const database = databaseOf(registry);
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  const [write] = putPinnedHashes(id, factsDigest, { kind: 'docker', digest, images });
  await database.send(new PutCommand({ TableName, Item: write?.operation.Put?.Item }));
  await database.send(
    new UpdateCommand({
      ...{ TableName, Key: toReviewStateKey(id) },
      UpdateExpression: 'SET pinned = :pinned',
      ExpressionAttributeValues: { ':pinned': factsDigest },
    }),
  );
};
