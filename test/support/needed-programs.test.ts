import { afterEach, expect, it, vi } from 'vitest';
import { checkPrograms, findMissing } from './needed-programs.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('finds the programs that a machine does not have', () => {
  expect(findMissing([process.execPath, '/no/such/program'])).toEqual(['/no/such/program']);
});

it('says in one sentence what the tests need', () => {
  expect(() => checkPrograms()).not.toThrow();
  vi.stubEnv('PATH', '/nowhere');

  expect(() => checkPrograms()).toThrow(
    'The tests need bash and curl and ps, not found on the PATH: install that, and run them again.',
  );
});
