import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../../../shared/store/dynamodb.ts';
import type { Random } from '../../support/random.ts';

/** Which of the next calls go wrong; undefined: none. */
let random: Random | undefined;

/** Of a hundred transactions, how many meet with each fault. */
const share = { conflict: 15, throttling: 5, lostAnswer: 5 };

/** How often each fault was injected so far. */
export const injected = { conflict: 0, throttling: 0, lostAnswer: 0 };

const isTransaction = (commandName: unknown): boolean =>
  commandName === 'TransactWriteItemsCommand';

const canceled = (code: string): Error =>
  Object.assign(
    new TransactionCanceledException({
      message: `injected ${code}`,
      CancellationReasons: [{ Code: 'None' }, { Code: code }],
      $metadata: { httpStatusCode: 400 },
    }),
    { isInjected: true },
  );

/** The SDK takes it for a broken connection, and sends the call again. */
const lostAnswer = (): Error =>
  Object.assign(new Error('injected loss'), { name: 'TimeoutError', isInjected: true });

dynamodb.middlewareStack.add(
  (next, { commandName }) =>
    async (args) => {
      if (!random || !isTransaction(commandName)) return next(args);
      const draw = random.below(100);
      if (draw < share.conflict) {
        injected.conflict += 1;
        throw canceled('TransactionConflict');
      }
      if (draw < share.conflict + share.throttling) {
        injected.throttling += 1;
        throw canceled('ThrottlingError');
      }
      const answer = await next(args);
      if (draw < 100 - share.lostAnswer) return answer;
      injected.lostAnswer += 1;
      throw lostAnswer();
    },
  { step: 'deserialize', name: 'injectFaults' },
);

/** Does the work while transactions go wrong at random. */
export const withFaults = async <T>(from: Random, work: () => Promise<T>): Promise<T> => {
  random = from;
  try {
    return await work();
  } finally {
    random = undefined;
  }
};
