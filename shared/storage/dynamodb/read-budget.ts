/** What one request without a token may read: none is answered at any price. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { RegistryError } from '../../domain/errors.ts';

/** Read units of DynamoDB, of 4 KB each; of 8 KB where a read need not see the last second. */
export const maxReadUnits = 1500;

interface Budget {
  left: number;
  /** What the calls under way take at most. */
  reserved: number;
  readonly waiting: (() => void)[];
}

const budgets = new AsyncLocalStorage<Budget | undefined>();

/** Runs the work with a budget of its own: a call that may exceed it is refused before it is made. */
export const withReadBudget = <Result>(
  work: () => Promise<Result>,
  units: number = maxReadUnits,
): Promise<Result> => budgets.run({ left: units, reserved: 0, waiting: [] }, work);

/** Runs what has a bound of its own, without a budget. */
export const withoutReadBudget = <Result>(work: () => Promise<Result>): Promise<Result> =>
  budgets.run(undefined, work);

/** Whether there is a budget. */
export const isReadMetered = (): boolean => budgets.getStore() !== undefined;

/** Whether so many units are left; true without a budget. Readers that may end early ask before they go on. */
export const hasReadUnits = (units: number): boolean => {
  const budget = budgets.getStore();
  return budget === undefined || budget.left - budget.reserved >= units;
};

const refuseTooMuch = (): RegistryError => {
  const message = `would take more than ${maxReadUnits} read units, which is what one request may read: ask for less, by a filter, a lower limit or offset, or fewer packages`;
  return new RegistryError('too_much_to_read', `The request ${message}.`, {
    errors: [{ path: 'request', message }],
  });
};

/** Whether an error says that the request may read no more. */
export const isTooMuchToRead = (error: unknown): error is RegistryError =>
  error instanceof RegistryError && error.code === 'too_much_to_read';

/** Waits until the calls under way leave enough; refuses where none is under way. */
const reserve = async (budget: Budget, most: () => number): Promise<number> => {
  while (budget.left - budget.reserved < most()) {
    if (budget.reserved === 0) throw refuseTooMuch();
    await new Promise<void>((resolve) => budget.waiting.push(resolve));
  }
  const reserved = most();
  budget.reserved += reserved;
  return reserved;
};

/** As far as it says what a call consumed. */
interface Metered {
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[] | undefined;
}

const sumUnits = ({ ConsumedCapacity: consumed = [] }: Metered): number =>
  [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

/** What a read asks for so that its answer says what it consumed. */
const counted = { ReturnConsumedCapacity: 'TOTAL' } as const;

/**
 * Makes a call that reads, and takes what it consumed off the budget.
 * @param most how many units it may take, asked again while it waits
 * @returns its answer, and the units where there is a budget
 */
export const readMetered = async <Answer extends Metered>(
  most: () => number,
  call: (input: Partial<typeof counted>) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly units: number | undefined }> => {
  const budget = budgets.getStore();
  if (!budget) return { answer: await call({}), units: undefined };
  const reserved = await reserve(budget, most);
  try {
    const answer = await call(counted);
    const units = sumUnits(answer);
    budget.left -= units;
    return { answer, units };
  } finally {
    budget.reserved -= reserved;
    for (const goOn of budget.waiting.splice(0)) goOn();
  }
};
