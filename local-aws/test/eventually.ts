import { vi } from 'vitest';

/** Waits until what has to come has come, also on a machine that is busy with other tests. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: 15_000 });
