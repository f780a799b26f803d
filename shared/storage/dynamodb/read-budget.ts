/** Read budget of one request without a token. The budget bounds the cost of each such request. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { RegistryError } from '../../domain/errors.ts';

/** Maximum read units of one request. One unit reads 4 KB, or 8 KB with eventual consistency. */
export const maxReadUnits = 1500;

interface Budget {
  left: number;
  /** Most units that the calls in progress may consume. */
  reserved: number;
  readonly waiting: (() => void)[];
}

const budgets = new AsyncLocalStorage<Budget | undefined>();

/** Runs the work with its own read budget. A call that may exceed the budget is refused before it is made. */
export const withReadBudget = <Result>(
  work: () => Promise<Result>,
  units: number = maxReadUnits,
): Promise<Result> => budgets.run({ left: units, reserved: 0, waiting: [] }, work);

/** Runs work that has its own bound, without a read budget. */
export const withoutReadBudget = <Result>(work: () => Promise<Result>): Promise<Result> =>
  budgets.run(undefined, work);

/** True if the current request has a read budget. */
export const isReadMetered = (): boolean => budgets.getStore() !== undefined;

/**
 * True if at least `units` read units are left; always true without a budget.
 * Readers that may end early check this before each further call.
 */
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

/** True if the error is the refusal of a request that exceeds its read budget. */
export const isTooMuchToRead = (error: unknown): error is RegistryError =>
  error instanceof RegistryError && error.code === 'too_much_to_read';

/**
 * Reserves units, and returns their number. Waits while calls in progress may still release units.
 * @throws {RegistryError} `too_much_to_read` if too few units are left and no call is in progress
 */
const reserve = async (budget: Budget, most: () => number): Promise<number> => {
  while (budget.left - budget.reserved < most()) {
    if (budget.reserved === 0) throw refuseTooMuch();
    await new Promise<void>((resolve) => budget.waiting.push(resolve));
  }
  const reserved = most();
  budget.reserved += reserved;
  return reserved;
};

/** Consumed capacity in the answer of a call. */
interface Metered {
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[] | undefined;
}

const sumUnits = ({ ConsumedCapacity: consumed = [] }: Metered): number =>
  [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

/** Input of a read that requests the consumed capacity in the answer. */
const counted = { ReturnConsumedCapacity: 'TOTAL' } as const;

/**
 * Makes a read call, and subtracts its consumed units from the budget.
 * @param most returns the most units that the call may consume; called again while the call waits
 * @returns the answer, and the consumed units if there is a budget
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
