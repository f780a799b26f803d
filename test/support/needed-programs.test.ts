import { afterEach, expect, it, vi } from 'vitest';
import { checkPrograms, findMissing } from './needed-programs.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('finds missing programs', () => {
  expect(findMissing([process.execPath, '/no/such/program'])).toEqual(['/no/such/program']);
});

it('names the missing programs in one sentence', () => {
  expect(() => checkPrograms()).not.toThrow();
  vi.stubEnv('PATH', '/nowhere');

  expect(() => checkPrograms()).toThrow(
    'The tests need bash and curl and ps, not found on the PATH: install that, and run them again.',
  );
});
