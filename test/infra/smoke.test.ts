import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestRegistry } from '../support/registry.ts';
import { problem, startScripted } from '../support/scripted-server.ts';

const run = promisify(execFile);
const makeToken = (label: string): string => `${label}-`.padEnd(43, 'x');

let registry: TestRegistry;
beforeAll(async () => {
  const list = `all:${makeToken('all')},ci/submit:${makeToken('ci')},ana/review:${makeToken('ana')}`;
  registry = await TestRegistry.start({ tokens: list });
});
afterAll(() => registry.close());

const smoke = async (token: string, path = '', base = registry.url): Promise<string> => {
  const env = { PATH: process.env['PATH'], REGISTRY_TOKEN: token };
  const args = ['infra/smoke.ts', `${base}${path}`];
  const { stdout } = await run(process.execPath, args, { env }).catch((error) => error);
  return stdout;
};

describe('the smoke test of a deployment', () => {
  it.each(['all', 'ci', 'ana'])('passes with the token of %s, for any scopes', async (label) => {
    const said = await smoke(makeToken(label));

    expect(said).toContain('ok      the token in REGISTRY_TOKEN is accepted');
    expect(said).not.toContain('FAILED');
  });

  it('fails with a token that is not accepted', async () => {
    expect(await smoke('wrong')).toContain(
      'FAILED  the token in REGISTRY_TOKEN is accepted, for its scopes only: answered 403',
    );
  });

  it('shows the code of an error response', async () => {
    const server = await startScripted(problem(429, 'too_many_requests'));

    const said = await smoke(makeToken('all'), '', server.url);

    await server.close();
    expect(said).toContain(
      'FAILED  packages can be listed: answered 429 too_many_requests: Told: too_many_requests.\n',
    );
    expect(said).not.toContain('check the URL');
  });

  it('reports in one line that a URL is not a registry', async () => {
    const said = await smoke(makeToken('all'), '/nowhere');

    expect(said).toContain(
      'FAILED  packages can be listed: answered 404 with JSON that is not from a registry: check the URL\n',
    );
    expect(said).toMatch(/^(?:(?:FAILED|ok) .*\n)+\d+ checks failed\.\n$/);
  });
});
