import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeRunningStack } from '../../infra/local/running-stack.ts';
import { digestToken } from '../../shared/domain/tokens/token-list.ts';
import { type AwsStandIn, serveAws } from '../support/aws-stand-in.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import { TestRegistry } from '../support/registry.ts';
import { type StandIn, serveStandIn } from '../support/stand-in.ts';

const generated = 'G'.repeat(43);
const secret = 'a-token-of-more-than-thirty-two-characters';
const digest = digestToken(`${secret}-of-ana`).toString('hex');
const start = `${generated},ci/submit:${secret},ana:sha256:${digest}`;
const toFingerprint = (token: string): string => digestToken(token).toString('hex').slice(0, 16);

type Disturbance = (operation: string) => Promise<'refuse' | 'lose' | undefined> | undefined;

const folder = makeFastFolder('tokens-');
const program = join(folder, 'tokens.mjs');
let registry: TestRegistry;
let secretId: string;
let arn: string;
let proxy: StandIn;
let aws: AwsStandIn;
const deployment = { stack: 'Acme', outputs: {}, results: {} };
let disturb: Disturbance | undefined;
const operations: string[] = [];
const nobody = { accessKeyId: 'x', secretAccessKey: 'x', sessionToken: 'x' };

/** Forwards requests to Secrets Manager, or disturbs one: rejects it, or loses its response. */
const serveProxy = (): Promise<StandIn> =>
  serveStandIn(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const body = await text(request);
    operations.push(operation);
    const fate = await disturb?.(operation);
    const headers = { 'Content-Type': 'application/x-amz-json-1.1' };
    if (fate === 'refuse') {
      response.writeHead(400, headers).end('{"__type":"AccessDeniedException","message":"Denied"}');
      return;
    }
    const { authorization = '', 'x-amz-target': target = '' } = request.headers;
    const answer = await fetch(registry.stack.endpoints.aws, {
      method: 'POST',
      headers: { ...headers, authorization, 'x-amz-target': String(target) },
      body,
    });
    const said = await answer.text();
    if (fate === 'lose') response.socket?.destroy();
    else response.writeHead(answer.status, headers).end(said);
  });

beforeAll(async () => {
  // One file starts three times as fast as its many sources.
  await build({
    ...{ entryPoints: ['infra/tokens/main.ts'], outfile: program, logLevel: 'warning' },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  registry = await TestRegistry.start({ tokens: start });
  const [stored] = Object.values(registry.stack.model.secrets);
  secretId = stored?.id ?? '';
  arn = stored?.arn ?? '';
  proxy = await serveProxy();
  writeRunningStack(folder, {
    ...{ url: registry.url, lambda: registry.stack.endpoints.lambda },
    aws: { endpoint: proxy.url, credentials: registry.stack.credentials },
    outputs: { TokensSecretArn: arn },
  });
  deployment.outputs = { TokensSecretArn: arn, EndpointsLogGroupName: 'Acme-EndpointsLog' };
  aws = await serveAws(deployment);
});
beforeEach(async () => {
  await registry.stack.secrets.put(secretId, start);
});
afterEach(() => {
  disturb = undefined;
  operations.length = 0;
});
afterAll(async () => {
  await proxy.close();
  await aws.close();
  await registry.close();
  rmSync(folder, { recursive: true });
});

const run = async (args: readonly string[], target: readonly string[] = ['--data', folder]) => {
  const { accessKeyId, secretAccessKey, sessionToken } = registry.stack.credentials;
  const child = spawn(process.execPath, [program, ...args, ...target], {
    env: {
      ...aws.environment,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      AWS_ENDPOINT_URL_SECRETS_MANAGER: proxy.url,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_SESSION_TOKEN: sessionToken,
    },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
};

/** A time of an entry. */
const now = '\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}Z';

const list = (): Promise<string> => registry.stack.secrets.get(secretId);

const dropDates = (value: string): string => value.replace(/;created=[^,]*/g, '');

const whoami = async (token: string) => {
  const { status, body } = await registry.get('/api/v1/whoami', { token });
  return [status, body.label, body.scopes];
};

describe('npm run tokens', () => {
  it('issues a valid token, and stores only its digest', async () => {
    const { code, stdout, stderr } = await run(['issue', '--label', 'bot', '--scope', 'submit']);

    const token = stdout.trim();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    expect(stderr).not.toContain(token);
    expect(await list()).toMatch(
      new RegExp(
        `^${start},bot/submit:sha256:${digestToken(token).toString('hex')};created=${now}$`,
      ),
    );
    expect(await whoami(token)).toEqual([200, 'bot', ['submit']]);
  });

  it.each([
    ['by its stack', ['--stack', 'Acme']],
    ['by its secret', ['--secret-arn', '']],
  ])('finds a deployment %s', async (_, target) => {
    const [flag = '', value] = target;

    const { code, stdout } = await run(['issue', '--label', 'bot'], [flag, value || arn]);

    expect(code).toBe(0);
    expect(await list()).toContain(`,bot:sha256:${digestToken(stdout.trim()).toString('hex')}`);
    if (flag !== '--stack') return;
    expect(aws.requests.at(-1)).toContain('Action=DescribeStacks');
    expect(aws.requests.at(-1)).toContain('StackName=Acme');
  });

  it('rotates a token that expires to one with the same lifetime', async () => {
    await run(['issue', '--label', 'brief', '--expires', '90d']);

    const rotated = await run(['rotate', '--label', 'brief']);
    const { stdout } = await run(['list']);

    expect(rotated.code).toBe(0);
    const dates = stdout.match(/^brief .*$/gm)?.map((line) => line.match(/\d{4}-\d\d-\d\d/g));
    expect(dates).toHaveLength(2);
    expect(dates?.[1]).toEqual(dates?.[0]);
  });

  it('issues a token that expires, and lists its dates', async () => {
    const issued = await run(['issue', '--label', 'brief', '--expires', '90d']);
    const past = `past:${'p'.repeat(43)};created=2026-01-01;expires=2026-02-01`;
    await registry.stack.secrets.put(secretId, `${await list()},${past}`);

    const { stdout } = await run(['list']);

    const today = '\\d{4}-\\d\\d-\\d\\d';
    expect(issued.code).toBe(0);
    expect(await list()).toMatch(
      new RegExp(`,brief:sha256:[0-9a-f]{64};created=${now};expires=${now},`),
    );
    expect(stdout).toMatch(new RegExp(`^brief .* ${today}  ${today}  digest$`, 'm'));
    expect(stdout).toMatch(/^past .* 2026-01-01 {2}expired +plaintext$/m);
  });

  it('lists with --used when each token was last used, by the request log', async () => {
    const used = (fingerprint: string, at: string) => [
      { field: 'token_fingerprint', value: fingerprint },
      { field: 'last_used', value: at },
    ];
    const results = [used(toFingerprint(secret), '2026-11-25 10:20:30.000')];
    deployment.results = { status: 'Complete', results };

    const { code, stdout } = await run(['list', '--used'], ['--stack', 'Acme']);
    const local = await run(['list', '--used']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^LABEL .* EXPIRES +LAST USED \(UTC\) +STORED AS$/m);
    expect(stdout).toMatch(/^ci .* 2026-11-25 10:20:30\.000 +plaintext$/m);
    expect(stdout).toMatch(/^ana .* not in 30 days +digest$/m);
    expect(aws.requests.join()).toContain('token_fingerprint');
    expect(local).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--used needs --stack'),
    });
  });

  it('says that the query of the log failed', async () => {
    deployment.results = { status: 'Timeout', results: [] };

    const { code, stderr } = await run(['list', '--used'], ['--stack', 'Acme']);

    expect([code, stderr]).toEqual([
      1,
      'The query of the request log ended as Timeout. Try again.\n',
    ]);
  });

  it('lists the tokens without showing one', async () => {
    await registry.stack.secrets.put(secretId, `${start},short,a/b/c:nonsense`);

    const { stdout, stderr } = await run(['list']);

    const rows = stdout.trimEnd().split('\n');
    expect(rows[0]).toMatch(/^LABEL +SCOPES +FINGERPRINT +CREATED +EXPIRES +STORED AS$/);
    expect(rows[1]).toMatch(
      new RegExp(`^ +submit\\+review +${toFingerprint(generated)} +plaintext$`),
    );
    expect(rows[2]).toMatch(new RegExp(`^ci +submit +${toFingerprint(secret)} +plaintext$`));
    expect(rows[3]).toMatch(new RegExp(`^ana +submit\\+review +${digest.slice(0, 16)} +digest$`));
    expect(rows[4]).toMatch(/less than 32 characters$/);
    expect(rows[5]).toMatch(/^ +malformed, entry 5: authenticates nobody$/);
    expect(`${stdout}${stderr}`).not.toMatch(new RegExp(`${generated}|${secret}|nonsense`));
  });

  it.each([
    ['a label', ['--label', 'ci'], `${generated},ana:sha256:${digest}`],
    [
      'a fingerprint',
      ['--fingerprint', toFingerprint(generated)],
      start.split(',').slice(1).join(),
    ],
  ])('revokes by %s, and keeps the other entries unchanged', async (_, flags, left) => {
    const { code, stdout, stderr } = await run(['revoke', ...flags]);

    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/^Revoked [0-9a-f]{16}\. /);
    expect(await list()).toBe(left);
  });

  it.each([
    ['an unknown label', start, ['revoke', '--label', 'nobody'], 'There is no such token'],
    ['the last token', `ci:${secret}`, ['revoke', '--label', 'ci'], 'everyone may write'],
    ['to rotate an unknown label', start, ['rotate', '--label', 'nobody'], 'issue one'],
    ['to rotate without a generated token', `ci:${secret}`, ['rotate'], 'give --label'],
    ['JSON in place of a list', '{"a":1}', ['issue', '--label', 'x'], 'The token list is JSON'],
    ['to thaw a list that is not frozen', start, ['thaw'], 'The list is not frozen.'],
  ])('rejects %s, and changes nothing', async (_, value, args, said) => {
    await registry.stack.secrets.put(secretId, value);

    const { code, stdout, stderr } = await run(args);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain(secret);
    expect(await list()).toBe(value);
  });

  it.each([
    [[], 'A command is required'],
    [['frob'], 'A command is required'],
    [['issue'], '--label is the name of the owner'],
    [['issue', '--label', 'a:b'], '--label is the name of the owner'],
    [['issue', '--label', 'a\u2215submit'], 'characters that look like a slash'],
    [['issue', '--label', 'ana submit'], '"ana submit" ends in the name of a scope'],
    [['issue', '--label', 'a', '--scope', 'all'], '--scope is submit or review'],
    [['rotate', '--scope', 'submit'], '--label is the name of the owner'],
    [['revoke'], 'revoke needs --label'],
    [['list', '--label', 'ci'], 'list does not accept --label.'],
    [['list', '--stack', 'a', '--secret-arn', 'b'], 'not both'],
    [['list', '--secret-arn', 'arn:aws:s3:::x'], 'is not the ARN of a secret'],
    [['list', '--frob'], "Unknown option '--frob'"],
  ])('explains the wrong usage %j', async (args, said) => {
    const { code, stderr } = await run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr).toContain('Usage: npm run tokens');
    expect(operations).toEqual([]);
  });

  it.each([
    [
      'does not run any more',
      { aws: { endpoint: 'http://127.0.0.1:1', credentials: nobody } },
      'The registry does not run: start it with npm start',
    ],
    ['ran in another release', {}, 'another release ran on the data folder'],
  ])('says what to do if the registry %s', async (_, changed, said) => {
    const data = join(folder, said.length.toString());
    mkdirSync(data);
    const running = {
      url: registry.url,
      lambda: '',
      outputs: { TokensSecretArn: arn },
      ...changed,
    };
    writeFileSync(join(data, 'running.json'), JSON.stringify(running));

    const { code, stderr } = await run(['list'], ['--data', data]);

    expect(code).toBe(1);
    expect(stderr).toContain(said);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('rotates the tokens of a label: keeps the newest, and revokes older ones', async () => {
    const first = await run(['rotate', '--label', 'ci']);
    const second = await run(['rotate', '--label', 'ci']);

    const [one, other] = [first, second].map(({ stdout }) =>
      digestToken(stdout.trim()).toString('hex'),
    );
    expect(dropDates(await list())).toBe(
      `${generated},ana:sha256:${digest},ci/submit:sha256:${one},ci/submit:sha256:${other}`,
    );
    expect(first.stderr).toContain(`revoke --fingerprint ${toFingerprint(secret)}`);
    expect(second.stderr).toContain(`Older ones are revoked: ${toFingerprint(secret)}.`);
  });

  it('rotates the tokens of a label with one scope, and keeps those with another', async () => {
    const others = `ci/review:${secret}-of-ci`;
    await registry.stack.secrets.put(secretId, `${start},${others}`);

    const unsaid = await run(['rotate', '--label', 'ci']);
    const { code, stdout } = await run(['rotate', '--label', 'ci', '--scope', 'submit']);
    const unknown = await run(['rotate', '--label', 'ana', '--scope', 'review']);

    const digested = digestToken(stdout.trim()).toString('hex');
    expect([unsaid.code, code, unknown.code]).toEqual([1, 0, 1]);
    expect(unsaid.stderr).toContain('ci has tokens for submit and for review: choose by --scope.');
    expect(unknown.stderr).toContain('There is no token of ana for review in the list');
    expect(dropDates(await list())).toBe(`${start},${others},ci/submit:sha256:${digested}`);
  });

  it('rotates the generated token as the schedule does, and prints no token', async () => {
    const { code, stdout } = await run(['rotate']);

    expect([code, stdout]).toEqual([0, '']);
    expect(await list()).toMatch(
      new RegExp(`^rotated:[A-Za-z0-9_-]{43},rotated:${start.replaceAll('+', '\\+')}$`),
    );
  });

  it('warns when the list is nearly full, and refuses a token that does not fit', async () => {
    const fillTo = (bytes: number): Promise<unknown> =>
      registry.stack.secrets.put(secretId, `${start},filler:`.padEnd(bytes, 'x'));
    await fillTo(60_000);

    const warned = await run(['issue', '--label', 'bot']);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toMatch(
      /The list is nearly full, with room for about \d+ more tokens: revoke expired and unused ones, which list --used shows\.\n$/,
    );
    expect((await run(['list'])).stderr).toContain('The list is nearly full');

    await fillTo(65_500);
    const before = await list();
    for (const args of [['issue', '--label', 'bot'], ['rotate', '--label', 'ana'], ['rotate']]) {
      const { code, stdout, stderr } = await run(args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^The token list would have 65\d{3} of at most 65536 bytes, and stays as it is: revoke .*\n$/,
      );
    }
    expect(await list()).toBe(before);
    expect((await run(['list'])).stderr).toContain('room for about 0 more tokens');
  });

  it('freezes the list, so that nobody can write, and thaws the previous list', async () => {
    const frozen = await run(['freeze']);
    const during = await list();
    const again = await run(['freeze']);
    const issued = await run(['issue', '--label', 'bot']);
    const thawed = await run(['thaw']);

    expect([frozen.code, again.code, issued.code, thawed.code]).toEqual([0, 0, 1, 0]);
    expect(during).toMatch(/^frozen:sha256:[0-9a-f]{64};created=[\dTZ:-]+$/);
    expect(again.stderr).toContain('frozen already');
    expect(issued.stderr).toContain('thaw it first');
    expect(await list()).toBe(start);
    expect((await run(['thaw'])).code).toBe(1);
  });

  it('freezes a malformed list', async () => {
    await registry.stack.secrets.put(secretId, '{"a":1}');

    await run(['freeze']);
    const frozen = await list();
    await run(['thaw']);

    expect(frozen).toMatch(/^frozen:/);
    expect(await list()).toBe('{"a":1}');
  });
});

describe('npm run tokens with a failed step', () => {
  const commands = [
    ['issue', '--label', 'bot'],
    ['revoke', '--label', 'ci'],
    ['rotate', '--label', 'ci'],
    ['rotate'],
    ['freeze'],
  ];

  it.each(
    commands.flatMap((args) =>
      ['GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
        (operation) => [operation, args] as const,
      ),
    ),
  )('at %s, the list holds that held before: %j', async (failing, args) => {
    disturb = async (operation) => (operation === failing ? 'refuse' : undefined);

    const { code, stdout, stderr } = await run(args);

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe('Denied\n');
    expect(await list()).toBe(start);
    if (failing === 'GetSecretValue') expect(operations).toEqual(['GetSecretValue']);
    disturb = undefined;
    expect((await run(args)).code).toBe(0);
    expect(await list()).not.toBe(start);
  });

  it.each(commands)('keeps concurrent changes: %s %s %s', async (...args) => {
    const others = `${start},other:${secret}-of-another`;
    disturb = async (operation) => {
      if (operation !== 'PutSecretValue') return undefined;
      disturb = undefined;
      await registry.stack.secrets.put(secretId, others);
      return undefined;
    };

    const { code, stdout, stderr } = await run(args.filter(Boolean));

    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Somebody else changed the token list at the same time.');
    expect(await list()).toBe(others);
  });

  it.each(['PutSecretValue', 'UpdateSecretVersionStage'])(
    'succeeds after a lost response to %s',
    async (lost) => {
      disturb = async (operation) => {
        if (operation !== lost) return undefined;
        disturb = undefined;
        return 'lose';
      };

      const { code, stdout } = await run(['issue', '--label', 'bot']);

      expect(code).toBe(0);
      expect(await list()).toContain(digestToken(stdout.trim()).toString('hex'));
    },
  );

  it('repeats an interrupted freeze, and thaws it', async () => {
    disturb = async (operation) => (operation === 'PutSecretValue' ? 'refuse' : undefined);
    await run(['freeze']);
    disturb = undefined;
    const issued = await run(['issue', '--label', 'bot']);
    const before = await list();

    await run(['freeze']);
    await run(['thaw']);

    expect(issued.code).toBe(0);
    expect(await list()).toBe(before);
  });
});
