import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';

/** Runs a function just before the next transaction, or before a later one. */
export const meanwhile = async <T>(
  other: () => Promise<unknown>,
  act: () => Promise<T>,
  after = 0,
): Promise<T> => {
  let before = after;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName === 'TransactWriteItemsCommand') {
          before -= 1;
          if (before === -1) await other();
        }
        return next(args);
      },
    { step: 'initialize', name: 'meanwhile' },
  );
  try {
    return await act();
  } finally {
    dynamodb.middlewareStack.remove('meanwhile');
  }
};
