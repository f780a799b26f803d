import { dynamodb } from '../../shared/store/dynamodb.ts';

/** Does something else just before the next transaction is sent. */
export const meanwhile = async <T>(
  other: () => Promise<unknown>,
  act: () => Promise<T>,
): Promise<T> => {
  let isNext = true;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (isNext && commandName === 'TransactWriteItemsCommand') {
          isNext = false;
          await other();
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
