import { vi } from 'vitest';

/** Limit in milliseconds, far longer than any event on the slowest machine, so that only a hanging test reaches it. */
const hangMs = 120_000;

/** Resolves once `check` no longer throws. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: hangMs });
