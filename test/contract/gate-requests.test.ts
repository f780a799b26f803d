import type { AwsHooks } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { settingVariables } from '../../shared/api/resources.ts';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { overridingVariables } from '../support/stack-parts.ts';

const submitToken = 'the-token-of-ci-of-more-than-thirty-two-characters';
const reviewToken = 'the-token-of-ana-of-more-than-thirty-two-characters';
const tokens = `ci/submit:${submitToken},ana/review:${reviewToken}`;

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const basic = (text: string) => ({
  Authorization: `Basic ${Buffer.from(text).toString('base64')}`,
});

const withOwn = overridingVariables({ [settingVariables.ownPackages]: 'npm:@acme/*' });

const old = '2020-01-01T00:00:00.000Z';
const young = new Date(Date.now() - 24 * 60 * 60_000).toISOString();

let origin: OriginServer;
const hooks: AwsHooks = {};

/** Publishes versions of an npm package, all at one time. */
const publish = (name: string, versions: Readonly<Record<string, object>>, at = old) => {
  const entries = Object.entries(versions).map(([version, more]) => {
    const dist = { tarball: `${origin.url}/${name}-${version}.tgz` };
    return [version, { name, version, license: 'MIT', dist, ...more }] as const;
  });
  const times = Object.fromEntries(entries.map(([version]) => [version, at]));
  const body = { name, versions: Object.fromEntries(entries), time: { created: at, ...times } };
  origin.serve(`/npm/${name.replace('/', '%2f')}`, { body });
};

const install = (registry: TestRegistry, path: string, headers: Record<string, string>) =>
  registry.get(path, { headers });

const find = async (registry: TestRegistry, name: string) => {
  const { status, body } = await registry.get(packagePath(name));
  return status === 200 ? body : undefined;
};

beforeAll(async () => {
  origin = await startOriginServer();
});
afterAll(() => origin.close());
afterEach(() => {
  hooks.onRequest = undefined;
});

describe('an install through the gate with a token', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await TestRegistry.start({
      ...{ tokens, originUrl: origin.url, gateRequests: true, transform: withOwn, hooks },
    });
  });
  afterAll(() => registry.close());

  const line = (requestId: string | null) =>
    registry.logs.find((one) => one['event'] === 'request' && one['request_id'] === requestId);

  it('submits an unknown package, and the next install says what it waits for', async () => {
    publish('left-pad', { '1.2.0': {}, '1.3.0': {}, '2.0.0-rc.1': {} });

    const first = await install(registry, '/npm/left-pad', bearer(submitToken));
    await until(async () => (await find(registry, 'left-pad')) !== undefined);
    const second = await install(registry, '/npm/left-pad', bearer(submitToken));

    expect(first.status).toBe(403);
    expect(first.body.error).toBe(first.body.detail);
    expect(first.body.detail).toContain(
      'No version of left-pad is approved; requested with your token',
    );
    expect(first.body.detail).toContain('/console#/packages?search=left-pad&ecosystem=npm');
    expect(await find(registry, 'left-pad')).toMatchObject({
      ...{ version: '1.3.0', status: 'pending' },
      ...{ submitted_by: 'ci', submitted_token_label: 'ci' },
    });
    const { body } = await registry.get(packagePath('left-pad', '/evidence'));
    expect(body.justification).toBe('Asked for by installing.');
    expect(second.body.detail).toContain('npm:left-pad@1.3.0 waits for');
    expect(second.body.detail).toContain('/console#/packages/npm/left-pad/1.3.0');
    expect(second.body.detail).not.toContain('requested');
  });

  it('submits the version of a lockfile, with the dependencies that have no approved version', async () => {
    publish('parent', { '1.0.0': { dependencies: { child: '^1.0.0' } }, '1.1.0': {} });
    publish('child', { '1.4.0': {}, '2.0.0': {} });

    await install(registry, '/npm/parent/-/parent-1.0.0.tgz', bearer(submitToken));
    await until(async () => (await find(registry, 'child')) !== undefined);

    expect(await find(registry, 'parent')).toMatchObject({ version: '1.0.0' });
    expect(await find(registry, 'child')).toMatchObject({
      ...{ version: '1.4.0', submitted_by: 'ci', submitted_token_label: 'ci' },
    });
    const { body } = await registry.get(packagePath('child', '/evidence'));
    expect(body.justification).toBe(
      'Dependency of npm:parent@1.0.0, which the registry submitted.',
    );
  });

  it.each([
    ['a password', 'pip-one', basic(`token:${submitToken}`)],
    ['a user name', 'pip-two', basic(`${submitToken}:`)],
    ['X-API-Key', 'pip-three', { 'X-API-Key': submitToken }],
  ])('takes the token as %s', async (_, name, headers) => {
    const files = [
      {
        ...{ filename: `${name.replace('-', '_')}-1.0.tar.gz`, url: `${origin.url}/${name}` },
        ...{ hashes: { sha256: 'a'.repeat(64) }, 'upload-time': old },
      },
    ];
    const type = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };
    origin.serve(`/pypi/simple/${name}/`, { headers: type, body: { name, files } });

    const { status, body } = await install(registry, `/pypi/simple/${name}/`, headers);
    await until(async () => (await find(registry, name)) !== undefined);

    expect(status).toBe(404);
    expect(body.detail).toContain('requested with your token');
    expect(await find(registry, name)).toMatchObject({ ecosystem: 'pypi', version: '1.0' });
  });

  it('submits a version that Maven needs', async () => {
    const metadata = '<versions><version>1.0.0</version><version>2.0.0</version></versions>';
    const body = `<metadata><versioning>${metadata}</versioning></metadata>`;
    origin.serve('/maven/org/acme/tool/maven-metadata.xml', { body });
    const headers = { 'Last-Modified': new Date(old).toUTCString() };
    const pom = '<project><artifactId>tool</artifactId></project>';
    origin.serve('/maven/org/acme/tool/1.0.0/tool-1.0.0.pom', { headers, body: pom });

    const path = '/maven/org/acme/tool/2.0.0/tool-2.0.0.pom';
    await install(registry, path, bearer(submitToken));

    await until(async () => (await find(registry, 'org.acme:tool')) !== undefined);
    expect(await find(registry, 'org.acme:tool')).toMatchObject({ version: '2.0.0' });
  });

  it('submits nothing for the metadata of a group of Maven plugins', async () => {
    const path = '/maven/org/apache/maven/plugins/maven-metadata.xml';

    const { body } = await install(registry, path, bearer(submitToken));

    expect(body.detail).not.toContain('requested');
  });

  it('submits no package that is younger than a week, of unknown age, or missing upstream', async () => {
    publish('young-name', { '1.0.0': {} }, young);
    origin.serve('/npm/ageless', { body: { name: 'ageless', versions: { '1.0.0': {} } } });
    publish('known-name', { '1.0.0': {} });

    for (const path of ['young-name', 'ageless', 'nowhere', 'known-name/-/known-name-9.9.9.tgz']) {
      const { body } = await install(registry, `/npm/${path}`, bearer(submitToken));
      expect(body.detail).toContain('requested with your token');
    }

    const reasons = () =>
      registry.logs.flatMap((one) =>
        one['event'] === 'version_not_submitted' ? [`${one['name']}: ${one['reason']}`] : [],
      );
    await until(() => reasons().length >= 4);
    expect(reasons().toSorted()).toEqual([
      'ageless: The origin does not show when it was first published',
      'known-name: The origin has no version in range that may be submitted',
      'nowhere: The origin does not have it',
      `young-name: It was first published ${young}, less than a week ago`,
    ]);
    for (const name of ['young-name', 'ageless', 'nowhere', 'known-name']) {
      expect(await find(registry, name)).toBeUndefined();
    }
  });

  it('asks nothing about own packages', async () => {
    const before = origin.requests.length;
    const { body } = await install(registry, '/npm/@acme%2fshop', bearer(submitToken));

    expect(body.detail).toContain('one of your organisation');
    expect(origin.requests.slice(before).filter(({ path }) => path.includes('acme'))).toEqual([]);
  });

  it.each([
    ['without a token', {}, undefined],
    ['with an invalid token', bearer('wrong'), 'invalid_token'],
    ['with a token that may not submit', bearer(reviewToken), 'scope_missing'],
    ['with a token of `npm view`', { ...bearer(submitToken), 'npm-command': 'view' }, undefined],
    [
      'with a token of a package manager that looks for its own releases',
      { ...bearer(submitToken), 'User-Agent': 'unasked/12.2.0 node/v24' },
      undefined,
    ],
    ['with an unknown scheme', { Authorization: `constructor ${submitToken}` }, undefined],
    ['with two tokens', { ...bearer(submitToken), 'X-API-Key': submitToken }, undefined],
  ])('changes nothing %s, which only the request log shows', async (_, headers, fault) => {
    const messages: string[] = [];
    hooks.onRequest = ({ service }) => {
      if (service === 'sqs') messages.push(service);
      return undefined;
    };

    const { status, body, headers: answered } = await install(registry, '/npm/unasked', headers);

    expect(status).toBe(403);
    expect(body.detail).toBe(
      `No version of unasked is approved; ask: registry submit npm:unasked@VERSION; get the command at ${registry.url}/registry.mjs`,
    );
    expect(messages).toEqual([]);
    const requestId = answered.get('x-amzn-requestid');
    await until(() => line(requestId) !== undefined);
    expect(line(requestId)?.['token_fault']).toBe(fault);
    expect(JSON.stringify(registry.logs)).not.toContain(submitToken);
    expect(JSON.stringify(registry.logs)).not.toContain(reviewToken);
  });

  it('sends one message for a version that is asked for again and again', async () => {
    publish('again', { '1.0.0': {} }, young);
    let messages = 0;
    hooks.onRequest = ({ service, operation }) => {
      if (service === 'sqs' && operation === 'SendMessageBatch') messages += 1;
      return undefined;
    };

    for (let time = 0; time < 4; time += 1) {
      await install(registry, '/npm/again', bearer(submitToken));
    }

    expect(messages).toBe(1);
  });

  it('gets the usual refusal while the queue takes nothing', async () => {
    hooks.onRequest = ({ service }) =>
      service === 'sqs' ? { status: 503, headers: {}, body: '{}' } : undefined;

    const { status, body } = await install(registry, '/npm/unsent', bearer(submitToken));

    expect(status).toBe(403);
    expect(body.detail).toContain('ask: registry submit npm:unsent@VERSION');
  });
});

describe('an install through the gate without the setting', () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await TestRegistry.start({ tokens, hooks });
  });
  afterAll(() => registry.close());

  it('reads no token, sends nothing, and writes nothing', async () => {
    const calls: string[] = [];
    hooks.onRequest = ({ service, operation }) => {
      calls.push(`${service} ${operation}`);
      return undefined;
    };

    const { status } = await install(registry, '/npm/left-pad', bearer(submitToken));

    expect(status).toBe(403);
    const others = calls.filter((one) => !/ (GetItem|BatchGetItem|Query)$/.test(one));
    expect(others).toEqual([]);
    expect(calls.length).toBeGreaterThan(0);
  });
});
