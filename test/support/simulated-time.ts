import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { Deadline } from '../../shared/util/deadline.ts';

/**
 * Runs the work with a deadline in milliseconds of a clock that only transactions advance. `meet` gets a transaction's
 * writes as JSON, advances the clock, and may throw the transaction's error.
 */
export const inSimulatedTime = async <T>(
  totalMs: number,
  meet: (writes: string, spend: (ms: number) => void) => void,
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> => {
  let spentMs = 0;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') {
          meet(JSON.stringify(args.input), (ms) => {
            spentMs += ms;
          });
        }
        return next(args);
      },
    { step: 'initialize', name: 'simulateTime' },
  );
  try {
    return await work({ remainingMs: () => totalMs - spentMs });
  } finally {
    dynamodb.middlewareStack.remove('simulateTime');
  }
};
