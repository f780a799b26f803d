import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPrincipals, type Principals } from '../src/iam/principals.ts';
import { readWayOut } from '../src/lambda/environment.ts';
import { createLambdaHost, type LambdaHost } from '../src/lambda/lambda-host.ts';
import type { LambdaFunction } from '../src/template/model.ts';
import { eventually } from './eventually.ts';
import { model, probe } from './fixture/model.ts';
import { isRunning } from './fixture/process.ts';

let principals: Principals;
let host: LambdaHost;
let log: string[];
/** Resolves when a function writes the first line to its log. */
let logged: PromiseWithResolvers<void>;

const idleMs = 1000;

const start = (change: Partial<LambdaFunction> = {}, maxInstances = 2): void => {
  const changed = { ...model, functions: { Probe: { ...probe, ...change } } };
  principals = createPrincipals(changed);
  host = createLambdaHost({
    model: changed,
    principals,
    awsEndpoint: 'http://127.0.0.1:1',
    maxInstances,
    idleMs,
    onLog: (functionId, line) => {
      log.push(`${functionId}: ${line}`);
      logged.resolve();
    },
  });
};

beforeEach(() => {
  log = [];
  logged = Promise.withResolvers();
  start();
});

afterEach(async () => {
  vi.useRealTimers();
  await host.close();
});

interface Instance {
  readonly pid: number;
  readonly invocations: number;
}

/** Resolves to the probe's answer to a request body. */
const ask = async <T>(request: object): Promise<T> => {
  const result = await host.invoke('Probe', { body: JSON.stringify(request) });
  return JSON.parse((result as { body: string }).body);
};

describe('an instance', () => {
  it('has the environment of its function and of Lambda, and nothing else', async () => {
    const environment = await ask<Record<string, string>>({ act: 'environment' });
    const credentials = principals.getCredentials('Probe');

    expect(environment).toEqual({
      ...readWayOut(process.env),
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_DYNAMODB_STREAMS: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_KMS: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://127.0.0.1:1',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_LAMBDA_FUNCTION_NAME: 'Probe',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_REGION: 'us-east-1',
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_SESSION_TOKEN: credentials.sessionToken,
      GIVEN: 'by the template',
      LAMBDA_TASK_ROOT: probe.codeDirectory,
      PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
      TZ: ':UTC',
      _HANDLER: 'probe.handler',
    });
  });

  it('knows its invocation and the time that is left', async () => {
    const { context, remaining } = await ask<{ context: object; remaining: number }>({});

    expect(context).toMatchObject({ functionName: 'Probe', memoryLimitInMB: '256' });
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(probe.timeoutSeconds * 1000);
  });

  it('is used again once it has answered', async () => {
    const first = await ask<Instance>({ act: 'count' });
    const second = await ask<Instance>({ act: 'count' });

    expect(second).toEqual({ pid: first.pid, invocations: 2 });
  });

  it('handles one event at a time; further events start further ones, up to the limit', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(() => ask<Instance>({ act: 'sleep', ms: 50 })),
    );

    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(2);
  });

  it('writes its log unchanged, and before its answer arrives', async () => {
    await ask({ log: '{"a": 1}\nsecond line' });

    expect(log).toEqual(['Probe: {"a": 1}', 'Probe: second line']);
  });
});

describe('an instance without an event', () => {
  const useFakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  it('ends after its idle time, and the next event starts another one', async () => {
    useFakeTimers();
    const first = await ask<Instance>({ act: 'count' });
    vi.advanceTimersByTime(idleMs - 1);
    const again = await ask<Instance>({ act: 'count' });
    vi.advanceTimersByTime(idleMs - 1);
    const stillThere = isRunning(first.pid);

    vi.advanceTimersByTime(1);

    expect(again).toEqual({ pid: first.pid, invocations: 2 });
    expect(stillThere).toBe(true);
    vi.useRealTimers();
    await eventually(() => expect(isRunning(first.pid)).toBe(false));
    const later = await ask<Instance>({ act: 'count' });
    expect(later).toEqual({ pid: expect.any(Number), invocations: 1 });
    expect(later.pid).not.toBe(first.pid);
  });

  it('leaves its place to others at the limit', async () => {
    useFakeTimers();
    await Promise.all([1, 2].map(() => ask({ act: 'sleep', ms: 20 })));
    vi.advanceTimersByTime(idleMs);

    const answers = await Promise.all([1, 2, 3].map(() => ask<Instance>({ act: 'sleep', ms: 20 })));

    expect(answers).toHaveLength(3);
  });

  it('does not end while it handles an event, however long that takes', async () => {
    useFakeTimers();
    const first = await ask<Instance>({ act: 'count' });
    const answer = ask<Instance>({ log: 'began', act: 'sleep', ms: 200 });
    await logged.promise;

    vi.advanceTimersByTime(20 * idleMs);

    expect((await answer).pid).toBe(first.pid);
    expect((await ask<Instance>({ act: 'count' })).invocations).toBe(3);
  });
});

describe('a failed invocation', () => {
  it.each([
    ['throws in its handler', 'reject', 'TypeError', 'refused by the handler', true],
    ['throws outside of it', 'crash', 'Runtime.ExitError', 'exit status 1', false],
    ['exits', 'exit', 'Runtime.ExitError', 'exit status 3', false],
  ])('of a function that %s tells why', async (_, misbehave, errorType, message, survives) => {
    const before = await ask<Instance>({ act: 'count' });

    const failure = ask({ misbehave });

    await expect(failure).rejects.toMatchObject({
      report: { errorType, errorMessage: expect.stringContaining(message) },
    });
    const after = await ask<Instance>({ act: 'count' });
    expect(after.pid === before.pid).toBe(survives);
  });

  it.each([
    ['never answers', 'hang'],
    ['never yields', 'loop'],
  ])('of a function that %s ends with its time', async (_, misbehave) => {
    const before = await ask<Instance>({ act: 'count' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failure = ask({ log: 'began', misbehave }).catch((error: unknown) => error);
    await logged.promise;

    vi.advanceTimersByTime(probe.timeoutSeconds * 1000);

    expect(await failure).toMatchObject({
      report: {
        errorType: 'Sandbox.Timedout',
        errorMessage: expect.stringContaining('Task timed out after 60.00 seconds'),
      },
    });
    vi.useRealTimers();
    expect((await ask<Instance>({ act: 'count' })).pid).not.toBe(before.pid);
  });

  it('has its stack in the log', async () => {
    await ask({ misbehave: 'crash' }).catch(() => undefined);

    expect(log.join('\n')).toContain('Error: thrown outside of the handler');
    expect(log.join('\n')).toContain('probe.mjs');
  });

  it('gives its place to the next one that waits', async () => {
    const failures = Promise.allSettled([1, 2, 3].map(() => ask({ misbehave: 'exit' })));

    const answer = await ask<Instance>({ act: 'count' });

    expect(answer.invocations).toBe(1);
    expect((await failures).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  });

  it.each([
    ['a missing file', { handler: 'nothing.handler' }, "Cannot find module 'nothing'"],
    ['a missing export', { handler: 'probe.other' }, 'probe.other is undefined or not exported'],
  ])('follows from %s, which the log shows', async (_, change, message) => {
    await host.close();
    start(change);

    await expect(ask({})).rejects.toThrow(message);
    expect(log.join('\n')).toContain(message);
  });
});

describe('a payload', () => {
  const limit = 6 * 1024 * 1024;

  it('of more than 6 MB does not reach the function', async () => {
    const invocation = host.invoke('Probe', { body: 'x'.repeat(limit) });

    await expect(invocation).rejects.toMatchObject({ name: 'RequestTooLargeError' });
  });

  it('of more than 6 MB does not leave it', async () => {
    await expect(ask({ size: limit })).rejects.toMatchObject({
      report: { errorType: 'Function.ResponseSizeTooLarge' },
    });
  });

  it('of a little less does', async () => {
    const result = await host.invoke('Probe', { body: JSON.stringify({ size: limit - 100 }) });

    expect(result).toMatchObject({ statusCode: 200 });
  });
});

describe('the host', () => {
  it('rejects what waits when it is closed', async () => {
    const waiting = Promise.allSettled([1, 2, 3].map(() => ask({ misbehave: 'hang' })));

    await host.close();

    expect((await waiting).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    await expect(ask({})).rejects.toThrow('the stack was closed');
  });

  it('knows no other functions', async () => {
    await expect(host.invoke('Other', {})).rejects.toThrow('no function Other');
  });
});
