import { afterAll } from 'vitest';

/** What a file of tests puts into the environment is not there for the next one in the same process. */
const before = { ...process.env };

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});
