import { vi } from 'vitest';

/** Far longer than any event takes on the slowest machine: only a test that hangs ends by it. */
const hangMs = 120_000;

/** Resolves once the check no longer throws. */
export const eventually = (check: () => unknown): Promise<unknown> =>
  vi.waitFor(check, { timeout: hangMs });
