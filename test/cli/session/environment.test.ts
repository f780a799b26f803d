import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeToolVariables, readEnvironment } from '../../../cli/session/environment.ts';

const names = [
  ...['REGISTRY_TOKEN', 'REGISTRY_ID_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN'],
  ...['ACTIONS_ID_TOKEN_REQUEST_URL', 'GITHUB_ACTIONS', 'GITLAB_CI'],
];
let before: Record<string, string | undefined>;
beforeEach(() => {
  before = { ...process.env };
  for (const name of names) delete process.env[name];
});
afterEach(() => {
  for (const name of names) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

it('withholds every token from programs that a command starts', () => {
  for (const name of names) process.env[name] = 'x';

  const given = Object.keys(makeToolVariables('https://registry.example.com'));

  expect(names.filter((name) => given.includes(name))).toEqual(['GITHUB_ACTIONS', 'GITLAB_CI']);
});

it.each([
  [{}, undefined],
  [{ GITLAB_CI: 'true' }, { system: 'gitlab', idToken: undefined }],
  [{ REGISTRY_ID_TOKEN: 'a' }, { system: 'gitlab', idToken: 'a' }],
  [{ GITHUB_ACTIONS: 'true' }, { system: 'github', request: undefined }],
  [
    { ACTIONS_ID_TOKEN_REQUEST_URL: 'https://x', ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'y' },
    { system: 'github', request: { url: 'https://x', token: 'y' } },
  ],
])('finds with %o how the job gets its ID token', (variables, job) => {
  Object.assign(process.env, variables);

  expect(readEnvironment().job).toEqual(job);
});
