import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { anonymous } from '../../../shared/domain/tokens/actor.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';

/** The error of a function that was killed. */
class DeathError extends Error {
  override readonly name = 'Death';
}

/**
 * Kills the work at a write: before it or after it. A dead function makes no further calls. Resolves to true if the work ended
 * before that write.
 */
export const killAt = async (
  write: number,
  when: 'before' | 'after',
  work: () => Promise<unknown>,
): Promise<boolean> => {
  let writes = 0;
  let isDead = false;
  dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (isDead) throw new DeathError();
        const isWrite = /Write|Put|Update|Delete/.test(commandName);
        if (!isWrite) return next(args);
        const isLast = writes === write;
        writes += 1;
        isDead ||= isLast;
        if (isLast && when === 'after') await next(args);
        if (isLast) throw new DeathError();
        return next(args);
      },
    { step: 'initialize', name: 'death' },
  );
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof DeathError)) throw error;
    return false;
  } finally {
    dynamodb.middlewareStack.remove('death');
  }
};

let minutes = 0;

/** The context of a request, each a minute after the one before: leases of earlier ones have ended. */
export const laterContext = () => {
  minutes += 1;
  return {
    actor: anonymous,
    now: new Date(Date.parse('2026-11-28T00:00:00Z') + minutes * 60_000),
    deadline: { remainingMs: () => 20_000 },
    remember: () => [],
  };
};

/** Everything in the table of projects, by partition and sort key. */
export const readTable = async (): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: 'projects' }));
  return Items.toSorted((one, other) =>
    `${one['p']} ${one['k']}` < `${other['p']} ${other['k']}` ? -1 : 1,
  );
};
