import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readStack } from '@package-registry/local-aws';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseSettings } from '../../infra/config.ts';
import { bundleOptions } from '../../infra/constructs/bundle-options.ts';
import { findOrigins } from '../../infra/find-origins.ts';
import { readIdentityRules } from '../../infra/identity-rules.ts';
import { goWithout } from '../../infra/local/synthesis.ts';
import { SettingsError } from '../../infra/settings-error.ts';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { isProtected } from '../../shared/api/route-rules.ts';
import * as routes from '../../shared/api/routes.ts';
import { trustedIssuersFile } from '../../shared/domain/identity/trusted-issuer.ts';
import { functionOf } from '../support/functions.ts';
import { TestIssuer } from '../support/issuer.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'identity-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const people = { oidcIssuer: 'https://id.example.com', oidcClientId: 'registry' };
const jobs = { oidcAudience: 'https://registry.example.com' };

/** The trusted issuers of settings, with a file of rules. */
const readWith = (rules: unknown, settings: object = { ...people, ...jobs }) => {
  const identityRules = join(directory, 'identity.json');
  writeFileSync(identityRules, typeof rules === 'string' ? rules : JSON.stringify(rules));
  return readIdentityRules(parseSettings({ ...settings, identityRules }));
};

const github = { system: 'github', if: { repository_id: '7' } };
const everybody = { rules: [{ scopes: ['submit'] }] };

describe('the trusted issuers', () => {
  it('are none by default', () => {
    expect(readIdentityRules(parseSettings({}))).toEqual({
      ...{ signIn: null, jobAudience: null, issuers: [] },
    });
  });

  it('match the example file, with each kind of issuer', () => {
    const settings = { ...people, ...jobs, identityRules: 'infra/identity.example.json' };

    expect(readIdentityRules(parseSettings(settings))).toEqual({
      signIn: { issuer: 'https://id.example.com', client_id: 'registry' },
      jobAudience: 'https://registry.example.com',
      issuers: [
        {
          ...{ issuer: 'https://id.example.com', holders: 'people' },
          audiences: ['registry', 'https://registry.example.com'],
          label: { claim: 'email', prefix: '' },
          rules: [
            { if: {}, scopes: ['submit'] },
            { if: { groups: ['security'] }, scopes: ['submit', 'review'] },
          ],
        },
        {
          ...{ issuer: 'https://token.actions.githubusercontent.com', holders: 'jobs' },
          audiences: ['https://registry.example.com'],
          label: { claim: 'repository', prefix: 'ci:token.actions.githubusercontent.com/' },
          rules: [
            {
              if: { repository_owner_id: ['9919'], ref: ['refs/heads/main'] },
              scopes: ['submit'],
            },
          ],
        },
        {
          ...{ issuer: 'https://gitlab.example.com', holders: 'jobs' },
          audiences: ['https://registry.example.com'],
          label: { claim: 'project_path', prefix: 'ci:gitlab.example.com/' },
          rules: [
            { if: { project_id: ['42', '43'], ref_protected: ['true'] }, scopes: ['submit'] },
          ],
        },
      ],
    });
  });

  it('are those of CI jobs alone without an issuer for people', () => {
    const { signIn, issuers } = readWith({ jobs: [github, github] }, jobs);

    expect(signIn).toBeNull();
    expect(issuers).toMatchObject([{ holders: 'jobs', label: { prefix: 'ci:' }, rules: [{}, {}] }]);
  });

  it.each<[string, unknown, object, RegExp]>([
    ['no JSON', '{', people, /^identityRules: cannot read .*identity\.json: /],
    ['an unknown field', { persons: {} }, people, /Unrecognized key/],
    ['nobody with a scope', {}, people, /people\.rules must have a rule: without one, nobody/],
    [
      'an unknown scope',
      { people: { rules: [{ scopes: ['admin'] }] } },
      people,
      /people\.rules\.0\.scopes\.0 must be submit or review/,
    ],
    [
      'no scope',
      { people: { rules: [{ scopes: [] }] } },
      people,
      /people\.rules\.0\.scopes must have a scope/,
    ],
    [
      'a condition without a value',
      { people: { rules: [{ if: { groups: [] }, scopes: ['submit'] }] } },
      people,
      /people\.rules\.0\.if\.groups must be a text, or a list of texts/,
    ],
    [
      'a condition that is a number',
      { jobs: [{ ...github, if: { repository_id: 7 } }] },
      jobs,
      /jobs\.0\.if\.repository_id must be a text/,
    ],
    [
      'a job of any project',
      { jobs: [{ system: 'github', if: { ref: 'refs/heads/main' } }] },
      jobs,
      /jobs\.0\.if must have repository_id or repository_owner_id: otherwise each project/,
    ],
    [
      "a job by GitLab's names",
      { jobs: [{ system: 'github', if: { project_id: '7' } }] },
      jobs,
      /jobs\.0\.if must have repository_id/,
    ],
    [
      'a condition that a record would drop',
      '{"people":{"rules":[{"if":{"__proto__":"x"},"scopes":["review"]}]}}',
      people,
      /people\.rules\.0\.if must not have a claim __proto__/,
    ],
    [
      'an unknown CI system',
      { jobs: [{ ...github, system: 'jenkins' }] },
      jobs,
      /jobs\.0\.system must be github or gitlab/,
    ],
    [
      'a job with the scope review',
      { jobs: [{ ...github, scopes: ['review'] }] },
      jobs,
      /Unrecognized key/,
    ],
    [
      'jobs without an audience',
      { people: everybody, jobs: [github] },
      people,
      /jobs need the setting oidcAudience/,
    ],
    ['an audience that nothing uses', {}, jobs, /otherwise nothing uses oidcAudience/],
    [
      'two systems with one issuer',
      {
        jobs: [
          github,
          {
            system: 'gitlab',
            issuer: 'https://token.actions.githubusercontent.com',
            if: { project_id: '7' },
          },
        ],
      },
      jobs,
      /must have one system/,
    ],
    [
      'the issuer of people for jobs',
      { people: everybody, jobs: [{ ...github, issuer: 'https://id.example.com' }] },
      { ...people, ...jobs },
      /jobs must have another issuer than oidcIssuer/,
    ],
    [
      'an issuer without TLS',
      { jobs: [{ ...github, issuer: 'http://ci.example.com' }] },
      jobs,
      /jobs must have an https issuer in production/,
    ],
  ])('are refused with %s', (_, rules, settings, message) => {
    expect(() => readWith(rules, settings)).toThrow(SettingsError);
    expect(() => readWith(rules, settings)).toThrow(message);
  });

  it('stand beside the code of each function that authenticates callers, and of no other one', () => {
    const stack = readStack(inject('assembly'), { goWithout });
    const readers = Object.values(stack.functions).filter(({ codeDirectory }) =>
      readdirSync(codeDirectory).includes(trustedIssuersFile),
    );
    const expected = [...allRoutes.filter(isProtected), routes.showService];

    expect(readers.map(({ id }) => id).toSorted()).toEqual(
      expected.map(({ id }) => functionOf(stack, id).id).toSorted(),
    );
    for (const { codeDirectory } of readers) {
      const text = readFileSync(join(codeDirectory, trustedIssuersFile), 'utf8');
      expect(JSON.parse(text)).toEqual({ signIn: null, jobAudience: null, issuers: [] });
    }
  });

  it('cost a function at most 40 kB', async () => {
    const { metafile } = await build({
      ...bundleOptions,
      entryPoints: ['functions/approve-package.ts'],
      outdir: directory,
      metafile: true,
      write: false,
    });
    const [output] = Object.values(metafile.outputs);
    const own =
      /node_modules\/jose\/|shared\/util\/outbound-http\/|shared\/domain\/identity\/|shared\/platform\/auth\/(?:id-tokens?|issuer-keys|cached-value)\.ts/;
    const sizes = Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
      own.test(path) ? [bytesInOutput] : [],
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);

    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(30_000);
  });
});

describe('the origins of the sign-in', () => {
  const settingsOf = (issuer: string, given: object = {}) =>
    parseSettings({
      ...{ environment: 'development', oidcIssuer: issuer, oidcClientId: 'registry' },
      ...given,
    });

  it('come from the endpoints that the issuer names', async () => {
    const issuer = await TestIssuer.start();
    issuer.answers['/.well-known/openid-configuration'] = JSON.stringify({
      issuer: issuer.url,
      authorization_endpoint: 'https://pages.example.com/sign-in',
      token_endpoint: 'https://login.example.com/token',
      revocation_endpoint: `${issuer.url}/revoke`,
    });

    const { oidcOrigins } = await findOrigins(settingsOf(issuer.url));

    expect(oidcOrigins).toBe(`${issuer.url},https://login.example.com`);
    await issuer.close();
  });

  it('are the given ones without a request', async () => {
    const given = { oidcOrigins: 'https://id.example.com' };

    const { oidcOrigins } = await findOrigins(settingsOf('http://127.0.0.1:9', given));

    expect(oidcOrigins).toBe('https://id.example.com');
  });

  it('are none without a sign-in', async () => {
    expect((await findOrigins(parseSettings({}))).oidcOrigins).toBe('none');
  });

  it.each(['https://x;frame-ancestors', 'https://*', 'https://a,b', 'ws://id.example.com', 'none'])(
    'fail the deployment when the issuer names the endpoint %s',
    async (endpoint) => {
      const issuer = await TestIssuer.start();
      issuer.answers['/.well-known/openid-configuration'] = JSON.stringify({
        ...{ issuer: issuer.url, token_endpoint: endpoint },
      });

      await expect(findOrigins(settingsOf(issuer.url))).rejects.toThrow(
        /without a plain https origin/,
      );
      await issuer.close();
    },
  );

  it('fail the deployment when the issuer does not answer, with the setting to give', async () => {
    const issuer = await TestIssuer.start();
    issuer.answers['/.well-known/openid-configuration'] = 503;

    await expect(findOrigins(settingsOf(issuer.url))).rejects.toThrow(
      /^oidcIssuer: The issuer responded with status 503\. Check the URL; .* set oidcOrigins$/,
    );
    await issuer.close();
  });
});
