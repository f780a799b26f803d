import { setTimeout as delay } from 'node:timers/promises';
import type { Deadline } from '../../util/deadline.ts';
import { DataFormatError } from './data-format-error.ts';

const pollMs = 2000;
/** Time that remains for the work itself, in milliseconds. */
const reserveMs = 20_000;

let check: (() => Promise<void>) | undefined;

/** Names the check of the format, for functions with a client of DynamoDB. Other functions do not load the client. */
export const setFormatCheck = (next: () => Promise<void>): void => {
  check = next;
};

/**
 * Waits while the tables are upgraded for this release. Otherwise, the records of streams would use up their retries.
 * @throws {DataFormatError} near the deadline, or if the tables have another format
 */
export const waitForFormat = async (deadline: Deadline): Promise<void> => {
  for (;;) {
    try {
      return await check?.();
    } catch (error) {
      const mayWait = error instanceof DataFormatError && error.isTemporary;
      if (!mayWait || deadline.remainingMs() < reserveMs + pollMs) throw error;
      await delay(pollMs);
    }
  }
};
