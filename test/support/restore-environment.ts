import { afterAll } from 'vitest';

/** Restores the environment after each test file, because the next file runs in the same process. */
const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
