import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { byEcosystem, type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import type { OriginSettings } from '../../../shared/ecosystems/origin-client.ts';
import type { LookUpAll } from '../../../shared/util/outbound-http/guarded-lookup.ts';
import {
  askServer,
  type OriginReply,
  type OriginServer,
  startOriginServer,
} from '../../support/origin-server.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';

const clock = useSimulatedClock();
let server: OriginServer;

beforeEach(async () => {
  server = await startOriginServer();
});

afterEach(() => server.close());

const ids: Readonly<Record<Ecosystem, PackageId>> = {
  npm: { ecosystem: 'npm', name: 'a', version: '1.0.0' },
  pypi: { ecosystem: 'pypi', name: 'a', version: '1.0' },
  maven: { ecosystem: 'maven', name: 'g:a', version: '1.0' },
  docker: { ecosystem: 'docker', name: 'a', version: '1.0' },
};

/** Every path that an origin is asked for first. */
const firstPaths = [
  '/a',
  '/pypi/a/1.0/json',
  '/simple/a/',
  '/g/a/1.0/a-1.0.pom',
  '/v2/library/a/manifests/1.0',
];

const serveAll = (...replies: readonly OriginReply[]): void => {
  for (const path of firstPaths) server.serve(path, ...replies);
};

const ask = (ecosystem: Ecosystem, settings: Partial<OriginSettings> = {}) =>
  askServer(server, settings).collectFacts(ids[ecosystem]);

const unknown = {
  outcome: 'failed',
  manifest: null,
  facts: { found: 'unknown', name_found: null },
};

describe.each(ecosystems)('the origin of %s', (ecosystem) => {
  it.each([429, 500, 502, 503])('may pass from status %i', async (status) => {
    serveAll({ status, headers: { 'Retry-After': '3600' } });

    expect(await ask(ecosystem)).toMatchObject({
      ...unknown,
      passing: true,
      retryAfterMs: 3_600_000,
      facts: {
        reason: `${server.host} responded with status ${status} and requested a delay of 3600 s, longer than the remaining time`,
      },
    });
  });

  it.each([400, 401, 403, 451, 501])('stays at status %i', async (status) => {
    serveAll({ status });

    // A registry of images has the same answer for a private image and for none.
    const isUncertain = ecosystem === 'docker' && [401, 403].includes(status);
    const more = isUncertain ? ': the image is private, or does not exist' : '';
    expect(await ask(ecosystem)).toMatchObject({
      ...unknown,
      passing: false,
      retryAfterMs: null,
      facts: { reason: `${server.host} refused the request with status ${status}${more}` },
    });
  });

  it('is asked again where it may pass', async () => {
    serveAll({ status: 503 }, { status: 404 });

    expect(await ask(ecosystem)).toMatchObject({
      outcome: 'answered',
      facts: { name_found: false },
    });
  });

  it('is silent', async () => {
    serveAll({ act: clock.passToLimit });

    expect(await ask(ecosystem, { timeoutMs: 100 })).toMatchObject({
      ...unknown,
      passing: true,
      facts: { reason: `${server.host} did not respond within 0.1 s` },
    });
  });

  it('never comes to an end', async () => {
    const drip = (response: ServerResponse) => {
      response.writeHead(200);
      const write = (): void => {
        clock.pass(50);
        if (!response.destroyed) response.write(' ', () => setImmediate(write));
      };
      write();
    };
    serveAll({ act: drip });

    const collected = await ask(ecosystem, { timeoutMs: 5_000, deadlineMs: 300 });

    expect(collected).toMatchObject({ ...unknown, passing: true });
    expect(clock.passedMs()).toBeLessThan(5_000);
  });

  it('breaks off', async () => {
    serveAll({ act: (response) => response.socket?.resetAndDestroy() });

    expect(await ask(ecosystem)).toMatchObject({
      ...unknown,
      passing: true,
      facts: { reason: expect.stringContaining(`The connection to ${server.host} failed`) },
    });
  });

  it('is not there', async () => {
    await server.close();

    expect(await ask(ecosystem)).toMatchObject({
      ...unknown,
      passing: true,
      facts: { reason: `The connection to ${server.host} failed (ECONNREFUSED)` },
    });
  });

  it('blows up when it is unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32));
    serveAll({ body: bomb, headers: { 'Content-Encoding': 'gzip' } });

    expect(await ask(ecosystem)).toMatchObject({
      ...unknown,
      passing: false,
      facts: { reason: expect.stringMatching(/ responded with more than \d+ MiB$/) },
    });
  });

  it.each<[string, unknown]>([
    ['a page to sign in', '<!doctype html><html><body><a href="/login">Sign in</a></body></html>'],
    ['nothing', ''],
    ['a number', '7'],
    ['null', 'null'],
    ['a list', '[]'],
    ['half of it', '{"name": "a", "versions": {'],
    ['no text', Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])],
    ['deep', '['.repeat(200_000)],
  ])('answers %s', async (_, body) => {
    serveAll({ body, headers: { 'Content-Type': 'application/json' } });

    expect(await ask(ecosystem)).toMatchObject({
      ...unknown,
      passing: false,
      facts: { reason: expect.stringMatching(/ answered \/\S* with (a web page|something)/) },
    });
  });

  it('sends on in circles', async () => {
    serveAll({ status: 302, headers: { Location: '' } });

    expect((await ask(ecosystem)).facts.reason).toBe(`${server.host} redirected more than 5 times`);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/x', 'http://', 'data:,x'])(
    'sends on to %s',
    async (location) => {
      serveAll({ status: 302, headers: { Location: location } });

      expect(await ask(ecosystem)).toMatchObject({
        ...unknown,
        passing: false,
        facts: { reason: `${server.host} redirected to a URL that is not allowed` },
      });
    },
  );
});

/** Every way to write an address at which no mirror sends anybody on to, with what the reason calls it. */
const inward = [
  ['http://0.0.0.0', '0.0.0.0', 'reserved'],
  ['http://0', '0.0.0.0', 'reserved'],
  ['http://10.0.0.5', '10.0.0.5', 'private'],
  ['http://100.64.0.1', '100.64.0.1', 'private'],
  ['http://[fd12::1]', '[fd12::1]', 'private'],
  ['http://169.254.169.254', '169.254.169.254', 'link-local'],
  ['http://2852039166', '169.254.169.254', 'link-local'],
  ['http://0xa9fea9fe', '169.254.169.254', 'link-local'],
  ['http://0251.0376.0251.0376', '169.254.169.254', 'link-local'],
  ['http://[::ffff:169.254.169.254]', '[::ffff:a9fe:a9fe]', 'link-local'],
  ['http://[fe80::1]', '[fe80::1]', 'link-local'],
  ['http://[fd00:ec2::254]', '[fd00:ec2::254]', 'link-local'],
] as const;

/** The names of a network, as its own server tells them. */
const leadTo =
  (addresses: Readonly<Record<string, string>>): LookUpAll =>
  (name, _options, answer) =>
    answer(null, [{ address: addresses[name] ?? '127.0.0.1', family: 4 }]);

describe('a redirect into a network', () => {
  const follow = (location: string, settings: Partial<OriginSettings> = {}) => {
    serveAll({ status: 302, headers: { Location: location } });
    return ask('npm', settings);
  };

  it.each(inward)(
    'is refused where a mirror on this machine sends on to %s',
    async (to, at, kind) => {
      const { port } = new URL(server.url);

      expect(await follow(`${to}:${port}/inside`)).toMatchObject({
        ...unknown,
        passing: false,
        facts: { reason: `${at} has a ${kind} address, to which requests are not allowed` },
      });
      expect(server.requests.map(({ path }) => path)).toEqual(['/a']);
    },
  );

  it.each([
    ['http://127.0.0.1/', 'loopback'],
    ['http://127.1/', 'loopback'],
    ['http://[::1]/', 'loopback'],
    ['http://[::ffff:127.0.0.1]/', 'loopback'],
    ['http://192.168.0.1/', 'private'],
    ['https://169.254.169.254/latest/meta-data', 'link-local'],
  ])('is refused where a public mirror sends on to %s', async (location, kind) => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(String(url));
      return new Response(null, { status: 302, headers: { Location: location } });
    };
    const mirror = 'http://mirror.example/npm/';
    const addresses = byEcosystem(ecosystems, () => mirror);

    const { facts } = await ask('npm', { addresses, fetch });

    expect(facts.reason).toMatch(
      new RegExp(` has a ${kind} address, to which requests are not allowed$`),
    );
    expect(asked).toEqual(['http://mirror.example/npm/a']);
  });

  it('is refused by the address that a name has when the socket connects to it', async () => {
    const lookUpAll = leadTo({ 'files.example': '10.0.0.5' });

    expect((await follow('http://files.example/a', { lookUpAll })).facts.reason).toBe(
      'files.example has a private address, to which requests are not allowed',
    );
  });

  it('is followed on this machine where the mirror is on it', async () => {
    const elsewhere = await startOriginServer();
    elsewhere.serve('/b', { body: { name: 'a', versions: { '1.0.0': { main: 'x' } } } });

    const byAddress = await follow(`${elsewhere.url}/b`);
    const lookUpAll = leadTo({});
    const byName = await follow(`${elsewhere.url.replace('127.0.0.1', 'files.example')}/b`, {
      lookUpAll,
    });
    await elsewhere.close();

    expect([byAddress, byName].map(({ facts }) => facts.found)).toEqual(['yes', 'yes']);
  });

  it('is followed at most to where addresses have 2,000 characters', async () => {
    expect((await follow(`/${'a'.repeat(2_000)}`)).facts.reason).toBe(
      `${server.host} redirected to a URL that is not allowed`,
    );
  });
});

describe('a mirror that settings name', () => {
  const askAt = (host: string, address: string) => {
    serveAll({ body: { name: 'a', versions: { '1.0.0': { main: 'x' } } } });
    const mirror = `http://${host}:${new URL(server.url).port}/`;
    const addresses = byEcosystem(ecosystems, () => mirror);
    return ask('npm', { addresses, lookUpAll: leadTo({ [host]: address }), deadlineMs: 500 });
  };

  it('may be this machine by its name', async () => {
    expect((await askAt('localhost', '127.0.0.1')).facts.found).toBe('yes');
  });

  it.each(['127.0.0.1', '169.254.169.254'])(
    'cannot lead to %s by a name of others',
    async (address) => {
      expect((await askAt('mirror.example', address)).facts.reason).toMatch(
        /^mirror\.example has a (?:loopback|link-local) address, to which requests are not allowed$/,
      );
      expect(server.requests).toEqual([]);
    },
  );
});

it('asks nobody inside for the metadata that a page of PyPI names there', async () => {
  const { port } = new URL(server.url);
  const page = `<a href="http://0.0.0.0:${port}/a-1.0-py3-none-any.whl" data-core-metadata="true">a-1.0-py3-none-any.whl</a>`;
  server.serve('/simple/a/', { body: page });

  const { facts } = await ask('pypi');

  expect(facts).toMatchObject({ found: 'yes', license: null });
  expect(server.requests.map(({ path }) => path).toSorted()).toEqual([
    '/pypi/a/1.0/json',
    '/simple/a/',
  ]);
});

describe('text from an origin', () => {
  const describeAs = async (description: string) => {
    server.serve('/a', {
      body: { name: 'a', versions: { '1.0.0': { main: 'x', description, dist: {} } } },
    });
    return (await ask('npm')).facts.description;
  };

  it.each([
    ['  two\n    lines\t ', 'two lines'],
    ['a\u202eb\u200bc\u2028d', 'abcd'],
    ['\u001b[31mred', '[31mred'],
    ['x'.repeat(100_000), 'x'.repeat(500)],
    ['half \ud83d', 'half \ufffd'],
    ['\u0000', null],
  ])('is clean and bounded: %j', async (reported, expected) => {
    expect(await describeAs(reported)).toBe(expected);
  });

  it('names at most twenty licenses', async () => {
    const license = Array.from({ length: 1_000 }, (_, at) => `License ${at} ${'x'.repeat(600)}`);
    server.serve('/a', { body: { name: 'a', versions: { '1.0.0': { main: 'x', license } } } });

    const { facts } = await ask('npm');

    expect(facts.licenses_declared).toHaveLength(20);
    expect(facts.licenses_declared.every((one) => one.length <= 500)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['many licenses', ['MIT', ...Array.from({ length: 20 }, () => 'GPL-3.0-only')]],
    ['a long license', ['MIT', `${'MIT OR '.repeat(100)}MIT AND Acme`]],
    ['a huge license', { type: 'MIT', url: '1.0'.repeat(1_000_000) }],
  ])('is not read in part: %s', async (_, license) => {
    server.serve('/a', { body: { name: 'a', versions: { '1.0.0': { main: 'x', license } } } });

    expect((await ask('npm')).facts).toMatchObject({ found: 'yes', license: null });
  });

  it('is not read in part where there are too many classifiers', async () => {
    const classifiers = Array.from({ length: 50_000 }, (_, at) => `License :: Acme ${at}`);
    const info = { name: 'a', version: '1.0', license: 'MIT', classifiers };
    server.serve('/pypi/a/1.0/json', { body: { info, urls: [] } });

    expect((await ask('pypi')).facts).toMatchObject({ found: 'yes', license: null });
  });

  it('goes from HTTPS to nothing less', async () => {
    const fetch: typeof globalThis.fetch = async () =>
      new Response(null, { status: 301, headers: { Location: 'http://example.com/a' } });
    const secure = 'https://mirror.example/npm/';
    const addresses = byEcosystem(ecosystems, () => secure);

    const { facts } = await askServer(server, { addresses, fetch }).collectFacts(ids.npm);

    expect(facts.reason).toBe('mirror.example redirected to a URL that is not allowed');
  });

  it('pollutes nothing', async () => {
    server.serve('/a', {
      body: '{"name": "a", "versions": {"1.0.0": {"main": "x", "__proto__": {"polluted": 1}, "dist": {"tarball": "https://example.com/a.tgz", "__proto__": {"polluted": 1}}}}}',
    });

    const { manifest } = await ask('npm');

    expect(manifest?.kind).toBe('npm');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

/**
 * What would take hours where a reader did more than a bounded number of steps for each character: a hundred thousand
 * elements in each other, and texts that a pattern would begin to match at each of a hundred thousand places.
 */
describe('what is made to take long', () => {
  const many = 300_000;
  const link = '<a href="a-1.0.tar.gz">a-1.0.tar.gz</a>';

  const serveSimple = (body: unknown) => server.serve('/simple/a/', { body });

  it.each(['<b>', '<li><i>', '<table><tr><td>', '<svg><a>', '<math><mi>', '<p><q>'])(
    'is a page with many %s in each other',
    async (tags) => {
      serveSimple(`<!doctype html><body>${tags.repeat(many)}${link}`);

      expect(await ask('pypi')).toMatchObject({
        ...unknown,
        passing: false,
        facts: { reason: `${server.host} answered with a page that nests more than 100 elements` },
      });
    },
  );

  it.each([
    ['closed elements that nobody opened', '</b></p></td>'.repeat(many)],
    ['elements beside each other', '<p><br><b>x</b>'.repeat(many)],
    [
      'a base as long as a book, and many links to put behind it',
      `<base href="http://b.example/${'b'.repeat(3_000_000)}/">${'<a href="b">b</a>'.repeat(90_000)}`,
    ],
    [
      'a file name as long as a book',
      `<a href="a.tar.gz">a${'-a'.repeat(3_000_000)}-1.0.tar.gz</a>`,
    ],
    [
      'many links of long names with hyphens',
      `<a href="b">a-${'b-'.repeat(240)}1.0.tar.gz</a>`.repeat(20_000),
    ],
    ['comments', '<!-- <!-- -->'.repeat(many)],
    ['entities', `<a href="${'&amp;'.repeat(many)}">${'&lt;'.repeat(many)}</a>`],
  ])('is a page of PyPI with %s, which is read', async (_, rest) => {
    serveSimple(`<!doctype html><body>${link}${rest}`);

    const { facts, manifest } = await ask('pypi');

    expect(facts).toMatchObject({ found: 'yes', newest_version: '1.0' });
    expect(manifest?.kind === 'pypi' && manifest.files.map(({ filename }) => filename)).toEqual([
      'a-1.0.tar.gz',
    ]);
  });

  it('is a page of PyPI with more files than any project has', async () => {
    serveSimple(link.repeat(100_001));

    expect((await ask('pypi')).facts.reason).toBe(
      `${server.host} answered with a page of more than 100000 files`,
    );
  });

  it('is a release of PyPI under a version of many numbers', async () => {
    const version = `1${'.0'.repeat(many)}.1`;
    const info = { name: 'a', version };
    server.serve('/pypi/a/1.0/json', { body: { info, urls: [] } });

    expect((await ask('pypi')).facts.found).toBe('no');
  });

  it('is an npm package with a version of many plus signs', async () => {
    const versions = { [`${'+'.repeat(many)}\n`]: {}, '1.0.0': { main: 'x' } };
    server.serve('/a', { body: { name: 'a', versions, time: { [`${'+'.repeat(many)}\n`]: 'x' } } });

    expect((await ask('npm')).facts.found).toBe('yes');
  });

  it.each([
    ['name', { license_expression: `MIT${' OR MIT'.repeat(many)}` }],
    ['text', { license: 'MIT', classifiers: [`License :: ${'('.repeat(many)}`] }],
  ])('is a license of PyPI as long as a book: %s', async (_, more) => {
    server.serve('/pypi/a/1.0/json', {
      body: { info: { name: 'a', version: '1.0', ...more }, urls: [] },
    });

    expect((await ask('pypi')).facts).toMatchObject({ found: 'yes', license: null });
  });

  it.each([
    ['elements in each other', '<a>'.repeat(many) + '</a>'.repeat(many), null],
    ['elements beside each other', '<a/>'.repeat(many), 'MIT'],
    ['blanks in an element', `<a ${' '.repeat(1_000_000)}/>`, 'MIT'],
  ])('is a POM with many %s', async (_, rest, license) => {
    const body = `<project><licenses><license><name>MIT</name></license></licenses>${rest}</project>`;
    server.serve('/g/a/1.0/a-1.0.pom', { body });

    expect((await ask('maven')).facts.license).toBe(license);
  });

  it('is a POM with a license as long as a book', async () => {
    const license = `<license><name>MIT${' OR MIT'.repeat(200_000)}</name></license>`;
    server.serve('/g/a/1.0/a-1.0.pom', {
      body: `<project><licenses>${license}</licenses></project>`,
    });

    expect((await ask('maven')).facts).toMatchObject({ found: 'yes', license: null });
  });

  it('is a POM that leans on more POMs than are read together', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `b${at}`);
    const imports = names.map(
      (name) =>
        `<dependency><groupId>g</groupId><artifactId>${name}</artifactId><version>1</version><type>pom</type><scope>import</scope></dependency>`,
    );
    const long = `<project><!--${'x'.repeat(1024 * 1024)}--></project>`;
    for (const name of names) server.serve(`/g/${name}/1/${name}-1.pom`, { body: long });
    server.serve('/g/a/1.0/a-1.0.pom', {
      body: `<project><dependencyManagement><dependencies>${imports.join('')}</dependencies></dependencyManagement></project>`,
    });

    const { manifest } = await ask('maven');

    expect(manifest?.kind === 'maven' && manifest.boms.length).toBe(15);
  });
});

it('is told apart from a fault of the registry where a reader breaks on an answer', async () => {
  const fetch: typeof globalThis.fetch = async () => {
    const response = new Response('{}');
    Object.defineProperty(response, 'headers', { value: {} });
    return response;
  };

  expect(await ask('pypi', { fetch })).toMatchObject({
    ...unknown,
    passing: false,
    facts: { reason: `What ${server.host} says of a 1.0 cannot be read` },
  });
});

/** Answers once so many answers are open, and others had their turn; counts how many were open at once at most. */
const countOpen = (together: number) => {
  const counter = { most: 0 };
  let open: ServerResponse[] = [];
  const act = async (response: ServerResponse) => {
    open.push(response);
    counter.most = Math.max(counter.most, open.length);
    if (open.length !== together) return;
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    for (const one of open) one.writeHead(404).end();
    open = [];
  };
  return { counter, act };
};

it('holds no two answers at once that may be huge', async () => {
  const { counter, act } = countOpen(1);
  const client = askServer(server);
  const names = ['a', 'b', 'c'];
  for (const name of names) server.serve(`/${name}`, { act });

  const asked = names.map((name) => client.collectFacts({ ...ids.npm, name }));
  const answers = await Promise.all(asked);

  expect(answers.map(({ facts }) => facts.found)).toEqual(['no', 'no', 'no']);
  expect(counter.most).toBe(1);
});

it('asks no origin for more than four things at once', async () => {
  const { counter, act } = countOpen(4);
  const client = askServer(server);
  const versions = Array.from({ length: 12 }, (_, at) => `1.${at}`);
  for (const version of versions) server.serve(`/g/a/${version}/a-${version}.pom`, { act });

  await Promise.all(versions.map((version) => client.collectFacts({ ...ids.maven, version })));

  expect(counter.most).toBe(4);
});
