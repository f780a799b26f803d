import { AsyncLocalStorage } from 'node:async_hooks';

const works = new AsyncLocalStorage<true>();

/**
 * Runs work whose reads are eventually consistent by default. They may miss writes of the last second, and cost half. A
 * result that matters needs a second, strongly consistent read.
 */
export const readEventually = <T>(work: () => Promise<T>): Promise<T> => works.run(true, work);

/** True inside of `readEventually`. */
export const isReadingEventually = (): boolean => works.getStore() === true;
