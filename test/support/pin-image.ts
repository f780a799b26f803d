import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DockerImage } from '../../shared/domain/facts/manifest.ts';
import { comparedBytes, listPinnedFiles } from '../../shared/domain/facts/pinned-files.ts';
import { type FileHash, hashAlgorithms } from '../../shared/domain/packages/file-hash.ts';
import { toVersionKey } from '../../shared/domain/packages/package-id.ts';
import { toReviewStateKey } from '../../shared/storage/reviews/review-state.ts';
import { databaseOf } from './database.ts';
import type { TestRegistry } from './registry.ts';

const factsDigest = 'the-digest-of-the-metadata';

/** A hash in the bytes that the registry keeps of it. */
export const toHashBytes = ({ algorithm, hex }: FileHash): Buffer =>
  Buffer.concat([
    Buffer.of(hashAlgorithms.indexOf(algorithm)),
    Buffer.from(hex, 'hex').subarray(0, comparedBytes),
  ]);

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
  const { hashes, ...others } = listPinnedFiles({ kind: 'docker', digest, images });
  const Item = {
    ...{ v: toVersionKey(id), k: `hashes#${factsDigest}`, ...others },
    hashes: Buffer.concat(hashes.map(toHashBytes)),
  };
  await database.send(new PutCommand({ TableName, Item }));
  await database.send(
    new UpdateCommand({
      ...{ TableName, Key: toReviewStateKey(id) },
      UpdateExpression: 'SET pinned = :pinned',
      ExpressionAttributeValues: { ':pinned': factsDigest },
    }),
  );
};
