import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { AwsHooks } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../support/database.ts';
import { FunctionClock } from '../support/function-clocks.ts';
import { functionOf } from '../support/functions.ts';
import { pinImage } from '../support/pin-image.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const ana = 'a-token-of-ana-with-more-than-thirty-two-characters';
const ci = 'a-token-of-builds-with-more-than-thirty-two-characters';
const path = '/api/v1/freeze';
const before = '2026-01-01T00:00:00.000Z';
const body = { before: '2026-01-01T00:00:00Z', reason: 'Malware in npm' };

const clock = new FunctionClock();
const hooks: AwsHooks = {};
let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({
    tokens: `ana/review:${ana},ci/submit:${ci}`,
    events: true,
    clock,
    hooks,
  });
});
afterAll(() => registry.close());
afterEach(() => registry.send('DELETE', path, { token: ana }));

const post = (sent: object, headers: Readonly<Record<string, string>> = {}) =>
  registry.send('POST', path, { body: sent, token: ana, headers });
const lift = () => registry.send('DELETE', path, { token: ana });
const show = async () => (await registry.get(path)).body.freeze;

const frozen = {
  ...{ before, reason: body.reason, since: expect.any(String) },
  ...{ by: 'ana', token_label: 'ana' },
};

describe('/freeze', () => {
  it('freezes the registry, shows it without a token, and lifts it', async () => {
    expect(await show()).toBeNull();

    const first = await post(body);
    const shown = [await show(), (await registry.get('/')).body.freeze];
    const last = await lift();

    expect(first).toMatchObject({ status: 200, body: { freeze: frozen } });
    expect(shown).toEqual([first.body.freeze, first.body.freeze]);
    expect(last).toMatchObject({ status: 200, body: { freeze: null } });
    expect([await show(), (await registry.get('/')).body.freeze]).toEqual([null, null]);
  });

  it('is not lifted by a request that another one has overtaken', async () => {
    await post(body);
    const TableName = registry.stack.tables['REVIEWS_TABLE'];
    const lifting = functionOf(registry.stack.model, 'lift-freeze').id;
    hooks.onRequest = async ({ operation, functionId }) => {
      if (operation !== 'TransactWriteItems' || functionId !== lifting) return;
      hooks.onRequest = undefined;
      const Key = { v: '#freeze', k: 'freeze' };
      await databaseOf(registry).send(new DeleteCommand({ TableName, Key }));
    };

    const { status, body: answer } = await lift();

    expect([status, answer.code]).toEqual([409, 'decision_conflict']);
  });

  it('is lifted once by requests with the same key', async () => {
    await post(body);
    const send = () =>
      registry.send('DELETE', path, { token: ana, headers: { 'Idempotency-Key': 'lift' } });

    const [first, again] = [await send(), await send()];

    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('replaces a freeze', async () => {
    await post(body);
    await post({ ...body, reason: 'It began earlier', before: '2025-12-24T00:00:00Z' });

    expect(await show()).toMatchObject({
      ...{ reason: 'It began earlier', before: '2025-12-24T00:00:00.000Z' },
    });
  });

  it('writes each change to the events, with the time, the reason and the token', async () => {
    const started = clock.at(0);
    await post(body);
    await post({ ...body, reason: 'Again' });
    await lift();

    // The events of the tests before can come late.
    const list = async () =>
      (await registry.get('/api/v1/events?limit=100')).body.events.filter(
        ({ at }: { at: string }) => at >= started,
      );
    await expect.poll(async () => (await list()).length).toBe(3);
    const common = {
      ...{ by: 'ana', token_label: 'ana', before, ecosystem: null, name: null, version: null },
    };
    expect(await list()).toMatchObject([
      {
        ...common,
        ...{ type: 'registry.frozen', from: 'unfrozen', to: 'frozen', reason: 'Malware in npm' },
      },
      { ...common, type: 'registry.frozen', from: 'frozen', to: 'frozen', reason: 'Again' },
      { ...common, type: 'registry.unfrozen', from: 'frozen', to: 'unfrozen', reason: 'Again' },
    ]);
  });

  it('answers a repetition with the same Idempotency-Key, and changes nothing', async () => {
    const headers = { 'Idempotency-Key': 'the-freeze-of-tonight' };

    const first = await post(body, headers);
    await lift();
    const second = await post(body, headers);

    expect(second.body).toEqual(first.body);
    expect(await show()).toBeNull();
  });

  it('refuses a time in the future', async () => {
    const { status, body: problem } = await post({ ...body, before: '2999-01-01T00:00:00Z' });

    expect(status).toBe(400);
    expect(problem.errors).toEqual([
      { path: 'before', message: expect.stringMatching(/^must not be in the future: it is 20/) },
    ]);
    expect(await show()).toBeNull();
  });

  it.each([
    ['without a reason', { before }],
    ['without a time', { reason: 'x' }],
    ['with a day', { before: '2026-01-01', reason: 'x' }],
    ['with a reason of several lines', { before, reason: 'a\nb' }],
    ['with a long reason', { before, reason: 'x'.repeat(501) }],
  ])('refuses a request %s', async (_, sent) => {
    expect((await post(sent)).status).toBe(400);
  });

  it('refuses to lift a freeze that does not exist', async () => {
    expect(await lift()).toMatchObject({ status: 404, body: { code: 'not_frozen' } });
  });

  it.each(['POST', 'DELETE'])('refuses %s without the scope review', async (method) => {
    const sent = { ...(method === 'POST' && { body }) };
    const other = await registry.send(method, path, { ...sent, token: ci });
    const nobody = await registry.send(method, path, sent);

    expect([other.body.code, nobody.body.code]).toEqual(['scope_missing', 'missing_token']);
  });
});

describe('during a freeze', () => {
  const image = { ecosystem: 'docker', name: 'nginx', version: '1.27.3' } as const;
  const digest = `sha256:${'a'.repeat(64)}`;
  const admit = async () => {
    const request = {
      ...{ uid: 'u-1', oldObject: null },
      object: { kind: 'Pod', spec: { containers: [{ image: `nginx:1.27.3@${digest}` }] } },
    };
    const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
    return (await registry.post('/api/v1/kubernetes/admission', review)).body.response;
  };
  const check = async () =>
    (await registry.post('/api/v1/check', { packages: [image], allow: ['pending', 'unknown'] }))
      .body;

  it('checks and pods are refused at once, and allowed after it, also if a person approves', async () => {
    await registry.submit(image, { token: ci });
    await post(body);
    const approved = await registry.post(packagePath('nginx', '/approve'), {}, { token: ana });
    await pinImage(registry, image, digest);

    const [checked, admitted] = [await check(), await admit()];
    await lift();

    expect(approved.status).toBe(200);
    expect(checked.packages).toMatchObject([
      { status: 'approved', allowed: false, reasons: [{ code: 'frozen' }] },
    ]);
    expect(admitted).toMatchObject({
      allowed: false,
      status: { code: 403, message: expect.stringContaining(': Malware in npm') },
    });
    expect([(await check()).allowed, (await admit()).allowed]).toEqual([true, true]);
  });

  it.each([
    ['npm/left-pad', 403],
    ['npm/left-pad/-/left-pad-1.3.0.tgz', 403],
    // For a forbidden project, installers would blame the credentials.
    ['pypi/simple/attrs/', 404],
    ['pypi/files/attrs/24.3.0/attrs-24.3.0.tar.gz', 403],
    ['maven/org/acme/lib/maven-metadata.xml', 403],
    ['maven/org/acme/lib/1.0/lib-1.0.jar', 403],
  ])('the gate says so within 10 seconds: %s', async (file, status) => {
    await post(body);
    clock.pass(10_000);

    const answer = await fetch(`${registry.url}/${file}`);

    const text = await answer.text();
    expect(answer.status).toBe(status);
    expect(JSON.parse(text)).toMatchObject({
      code: status === 404 ? 'package_not_found' : 'frozen',
      error: expect.stringContaining('the registry has been frozen since 20'),
    });
  });
});
