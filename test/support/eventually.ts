import { vi } from 'vitest';
import { hangMs } from './hang.ts';

/** Resolves to the result of the check, once it no longer throws. The limit only ends a test that hangs. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: hangMs });

/** Resolves once the condition holds. */
export const until = (condition: () => boolean | Promise<boolean>): Promise<unknown> =>
  vi.waitUntil(condition, { timeout: hangMs });
