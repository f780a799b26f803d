import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJobToken } from '../../cli/session/job-token.ts';
import type { TrustedIssuer } from '../../shared/domain/identity/trusted-issuer.ts';
import { CommandLine } from '../support/command-line.ts';
import {
  type GithubJob,
  githubClaims,
  gitlabClaims,
  startGithubJob,
} from '../support/github-job.ts';
import { TestIssuer } from '../support/issuer.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { json } from '../support/scripted-server.ts';
import { jobAudience, trustIssuers } from '../support/trusted-issuers.ts';

const listed = 'listed-token-of-more-than-thirty-two-characters';

let commandLine: CommandLine;
let github: TestIssuer;
let gitlab: TestIssuer;
let job: GithubJob;
let registry: TestRegistry;
beforeAll(async () => {
  [github, gitlab] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
  const trusted = trustIssuers('http://127.0.0.1:9', github.url);
  const ofGitlab: TrustedIssuer = {
    ...{ issuer: gitlab.url, holders: 'jobs' as const, audiences: [jobAudience] },
    label: { claim: 'project_path', prefix: 'ci:' },
    rules: [{ if: { project_id: ['22'], ref: ['main'] }, scopes: ['submit'] }],
  };
  registry = await TestRegistry.start({
    tokens: `listed:${listed}`,
    issuers: { ...trusted, issuers: [...trusted.issuers, ofGitlab] },
  });
  job = await startGithubJob((aud) => github.sign({ ...githubClaims, aud }));
  commandLine = CommandLine.install({ REGISTRY_URL: registry.url });
});
afterAll(async () => {
  commandLine.remove();
  await Promise.all([registry.close(), job.close(), github.close(), gitlab.close()]);
});

const inGithub = () => ({ GITHUB_ACTIONS: 'true', ...job.env });
const signForGitlab = (claims: object = {}) =>
  gitlab.sign({ ...gitlabClaims, aud: jobAudience, ...claims });
const inGitlab = async (claims: object = {}) => ({
  ...{ GITLAB_CI: 'true', REGISTRY_ID_TOKEN: await signForGitlab(claims) },
});

/** Writes a project with one package that the registry does not know. */
const writeProject = (name: string): void => {
  const packages = { [`node_modules/${name}`]: { version: '1.0.0', license: 'MIT' } };
  writeFileSync(
    join(commandLine.folder, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, packages }),
  );
};

describe.each([
  ['GitHub Actions', inGithub],
  ['GitLab', inGitlab],
])('in a job of %s', (system, findEnv) => {
  const name = `of-${system.replace(' ', '-').toLowerCase()}`;

  it('check --submit submits without a secret', async () => {
    writeProject(name);
    const env = await findEnv();

    const ended = await commandLine.runAlone(['check', '--submit', '--debug'], { env });

    expect(ended.stderr).toContain('1 submitted for review');
    expect(ended.code).toBe(1);
    const shown = await registry.get(`/api/v1/packages/${name}`);
    expect(shown.body).toMatchObject({
      submitted_by: 'ci:acme/shop',
      submitted_token_label: 'ci:acme/shop',
    });
    expect(ended.stderr).toMatch(/debug: \S+ from REGISTRY_URL, the ID token of the CI job/);
    for (const secret of Object.values(env).filter((value) => value.length > 20)) {
      expect(ended.stdout + ended.stderr).not.toContain(secret);
    }
  });

  it('whoami shows the job', async () => {
    const { stdout } = await commandLine.runAlone(['whoami', '--json'], { env: await findEnv() });

    expect(JSON.parse(stdout)).toMatchObject({
      ...{ label: 'ci:acme/shop', scopes: ['submit'], expires_at: expect.any(String) },
      token_from: 'the ID token of the CI job',
    });
  });

  it('a token in REGISTRY_TOKEN goes first', async () => {
    const env = { ...(await findEnv()), REGISTRY_TOKEN: listed };

    const { stdout } = await commandLine.runAlone(['whoami', '--json'], { env });

    expect(JSON.parse(stdout)).toMatchObject({
      label: 'listed',
      token_from: 'REGISTRY_TOKEN (overrides the ID token of the CI job)',
    });
  });

  it('a command that only reads requests no ID token', async () => {
    const before = job.received.length;

    const { code } = await commandLine.runAlone(['list'], { env: await findEnv() });

    expect([code, job.received.length]).toEqual([0, before]);
  });

  it('a registry without ID tokens of jobs gets the token of the config file', async () => {
    const other = await TestRegistry.start({ tokens: `saved:${listed}` });
    const home = { XDG_CONFIG_HOME: join(commandLine.folder, name), REGISTRY_URL: other.url };
    const env = { ...(await findEnv()), ...home };
    await commandLine.runAlone(['login'], { env: home, stdin: listed });
    const before = job.received.length;

    const { stdout } = await commandLine.runAlone(['whoami', '--json'], { env });

    expect(JSON.parse(stdout)).toMatchObject({
      label: 'saved',
      token_from: join(home.XDG_CONFIG_HOME, 'registry', 'config.json'),
    });
    expect(job.received).toHaveLength(before);
    await other.close();
  });
});

describe('a job without an ID token', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'GitHub Actions',
      { GITHUB_ACTIONS: 'true' },
      'error: The job has no ID token: it lacks the permission id-token: write.\nAdd id-token: write to the permissions of the job, or set REGISTRY_TOKEN. Pull requests of forks get neither.\n',
    ],
    [
      'GitLab',
      { GITLAB_CI: 'true' },
      `error: The job has no ID token: REGISTRY_ID_TOKEN is not set.\nAdd id_tokens: REGISTRY_ID_TOKEN: aud: ${jobAudience} to the job, or set REGISTRY_TOKEN.\n`,
    ],
  ])('of %s learns what to add', async (_, env, said) => {
    const { code, stderr } = await commandLine.runAlone(['whoami'], { env });

    expect([code, stderr]).toEqual([1, said]);
  });

  it('still lists approvals that expire, whose uses need a token', async () => {
    const version = { ecosystem: 'npm', name: 'expiring', version: '1.0.0', license: 'MIT' };
    await registry.submit(version, { token: listed });
    const approval = { expires_in_days: 3, reason: 'Only for a test' };
    await registry.post(packagePath('expiring', '/approve'), approval, { token: listed });
    const env = { GITHUB_ACTIONS: 'true' };

    const { code, stdout, stderr } = await commandLine.runAlone(['expirations'], { env });

    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('expiring');
  });

  it('learns to give a token if the registry accepts no ID tokens of jobs', async () => {
    const other = await TestRegistry.start({ tokens: `saved:${listed}` });
    const env = { GITHUB_ACTIONS: 'true', REGISTRY_URL: other.url };

    const { code, stderr } = await commandLine.runAlone(['whoami'], { env });

    expect(code).toBe(1);
    expect(stderr).toContain('Give a token with registry login, REGISTRY_TOKEN or --token.');
    await other.close();
  });
});

describe('the ID token of GitLab', () => {
  it.each<[string, object, RegExp]>([
    ['another audience', { aud: 'other' }, /another audience\.\nSet it with id_tokens: .*aud: /],
    ['an expired one', { exp: 1 }, /has expired\.\nSet a longer timeout for the job/],
    ['a branch without a rule', { ref: 'x' }, /no access\. No rule.*\nThe token is the ID token/],
  ])('is refused for %s', async (_, claims, said) => {
    const { code, stderr } = await commandLine.runAlone(['whoami'], {
      env: await inGitlab(claims),
    });

    expect([code, stderr]).toEqual([1, expect.stringMatching(said)]);
  });

  it('is refused if it is no ID token', async () => {
    const env = { REGISTRY_ID_TOKEN: 'a b' };

    const { code, stderr } = await commandLine.runAlone(['whoami'], { env });

    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('REGISTRY_ID_TOKEN is no ID token'),
    ]);
  });
});

describe('the ID token of GitHub', () => {
  it('is requested for the audience, with the token of the job', async () => {
    await commandLine.runAlone(['whoami'], { env: inGithub() });

    const audience = encodeURIComponent(jobAudience);
    expect(job.received.at(-1)?.url).toBe(`/idtoken/run/job?api-version=2.0&audience=${audience}`);
  });

  it('is requested once, and again shortly before it expires', async () => {
    const now = Math.floor(Date.now() / 1000);
    let signed = 0;
    const lifetimes = [30, 300];
    const own = await startGithubJob((aud) => {
      const exp = now + (lifetimes[signed] ?? 0);
      signed += 1;
      return github.sign({ ...githubClaims, aud, exp });
    });
    const [url = '', token = ''] = Object.values(own.env);
    const read = createJobToken({ system: 'github', request: { url, token } }, jobAudience);

    const short = await read();
    const longer = await Promise.all([read(), read()]);

    expect(own.received).toHaveLength(2);
    expect(new Set(longer)).not.toContain(short);
    expect(await read()).toBe(longer[0]);
    await own.close();
  });

  it.each<[string, number, unknown, number, number, string]>([
    ['refuses', 403, {}, 1, 1, 'GitHub issued no ID token for the job: it answered 403.'],
    ['fails for long', 503, {}, 3, 3, 'GitHub issued no ID token for the job: it answered 503.'],
    ['answers something else', 200, { other: 1 }, 1, 1, 'the job: its answer has none.'],
  ])('is missing if GitHub %s', async (_, status, body, requests, exit, said) => {
    const own = await startGithubJob(
      () => Promise.reject(new Error('not reached')),
      ...Array.from({ length: 9 }, () => json(status, body)),
    );

    const { code, stderr } = await commandLine.run(['whoami'], { env: own.env });

    expect([code, stderr]).toEqual([exit, expect.stringContaining(said)]);
    expect(own.received).toHaveLength(requests);
    await own.close();
  });

  it('is requested again after a fault', async () => {
    const own = await startGithubJob((aud) => github.sign({ ...githubClaims, aud }), json(500, {}));

    const { code } = await commandLine.run(['whoami'], { env: own.env });

    expect([code, own.received.length]).toEqual([0, 2]);
    await own.close();
  });
});
