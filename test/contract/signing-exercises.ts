import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { databaseOf } from '../support/database.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
import { type Exercise, invoking, reading } from './exercise.ts';

/** Returns the stream's record of the last decision on a package. */
const readLastRecord = async (registry: TestRegistry, name: string) => {
  const { Items = [] } = await databaseOf(registry).send(
    new QueryCommand({
      TableName: registry.stack.tables['DECISIONS_TABLE'],
      KeyConditionExpression: 'package_key = :package',
      ExpressionAttributeValues: { ':package': `npm#${name}` },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  return { dynamodb: { SequenceNumber: '1', NewImage: marshall({ ...Items[0], pinned: 'x' }) } };
};

/** Signs a new decision with pinned files, and past decisions in the order of their events. */
export const signing: Exercise = async (registry, name, osv, origin) => {
  await registry.post(packagePath(name, '/approve'));
  const Records = [await readLastRecord(registry, name)];
  const statuses: number[] = [];
  for (const [worker, event] of [
    ['sign-decisions', { Records }],
    ['sequence-events', { Records }],
    ['sign-decisions', { after: 0 }],
  ] as const) {
    statuses.push(...(await invoking(worker, event)(registry, name, osv, origin)));
  }
  return statuses;
};

/** Reads the attestation of an approved version with each selection. */
export const showingAttestation: Exercise = async (registry, name, osv, origin) => {
  await registry.post(packagePath(name, '/approve'));
  const path = (one: string): string => packagePath(one, '/attestation');
  return reading(path)(registry, name, osv, origin);
};
