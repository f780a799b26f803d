import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { Deadline } from '../../shared/util/deadline.ts';

/**
 * Works with a deadline in so many milliseconds of a clock that goes on with each transaction alone. `meet` spends what
 * the transaction takes, given its writes as JSON, and may throw what it ends with.
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
