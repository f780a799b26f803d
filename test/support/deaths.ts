import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { Random } from './random.ts';

/** Kills the function in `share` percent of its single-item writes: before the write, or (every second time) after it. */
export const withDeaths = async <T>(
  random: Random,
  share: number,
  work: () => Promise<T>,
): Promise<T> => {
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isWrite = ['UpdateItemCommand', 'DeleteItemCommand'].includes(commandName ?? '');
        const draw = random.below(200);
        if (!isWrite || draw >= 2 * share) return next(args);
        if (draw % 2) await next(args);
        throw Object.assign(new Error('killed'), { name: 'Death' });
      },
    { step: 'initialize', name: 'deaths' },
  );
  try {
    return await work();
  } finally {
    dynamodb.middlewareStack.remove('deaths');
  }
};
