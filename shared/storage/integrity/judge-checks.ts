import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { FindingKind } from '../../api/schemas/integrity.ts';
import { RegistryError } from '../../domain/errors.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import type { CheckContext } from './tally.ts';

const parallelChecks = 8;

/** What follows by a stream is given so long to follow before it is judged. */
const settleMs = 500;

/** Something that may be wrong, and how to mend it. */
export interface Check {
  readonly kind: FindingKind;
  readonly example: string;
  readonly isRight: () => Promise<boolean>;
  /** Resolves to whether it mended anything. */
  readonly mend: () => Promise<boolean>;
}

/** What DynamoDB says of the very items that it was asked for; all else that it says is of the storage. */
const ofItems = new Set(['ValidationException', 'TransactionCanceledException']);

/** Whether an error is of the storage as a whole, so that nothing can be judged. */
const isOfStorage = (error: unknown): boolean =>
  error instanceof RegistryError
    ? error.code === 'storage_unavailable'
    : error instanceof DynamoDBServiceException && !ofItems.has(error.name);

/** Does a part of a check. What fails by itself is left unjudged; that costs nothing else its turn. */
const attempt = async (
  { kind, example }: Check,
  { tally }: CheckContext,
  work: () => Promise<boolean>,
): Promise<boolean | undefined> => {
  try {
    return await work();
  } catch (error) {
    if (isOfStorage(error)) throw error;
    logEvent('error', 'integrity_check_failed', { kind, example, error });
    tally.leaveUnjudged();
    return undefined;
  }
};

const findDoubtful = async (checks: readonly Check[], context: CheckContext): Promise<Check[]> => {
  const looks = await runInParallel(checks, parallelChecks, (check) =>
    attempt(check, context, check.isRight),
  );
  return checks.filter((_, at) => looks[at] === false);
};

/**
 * Looks twice at what seems wrong, the second time after a pause, and mends what still is.
 * @throws {Error} where the storage is not there, or may not be asked
 */
export const judgeChecks = async (
  checks: readonly Check[],
  context: CheckContext,
): Promise<void> => {
  const doubtful = await findDoubtful(checks, context);
  if (doubtful.length === 0) return;
  await delay(settleMs);
  const { tally, repair } = context;
  for (const check of doubtful) {
    if ((await attempt(check, context, check.isRight)) !== false) continue;
    tally.find(check.kind, check.example);
    if (repair && (await attempt(check, context, check.mend))) tally.repair(1);
  }
};
