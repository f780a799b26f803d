import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Checksums, checksumAlgorithms } from '../../../../shared/util/checksums.ts';
import { until } from '../../../support/eventually.ts';
import { FunctionClock } from '../../../support/function-clocks.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import { publishMaven, toPath } from './maven-origin.ts';

const name = 'org.acme.tools:lib';
const [parent, grandparent, bom] = ['org.acme:parent:7', 'org.acme:root:1', 'org.acme:bom:3'];
const submitted = ['1.9', '1.10', '1.11', '1.10-rc1', '1.8-SNAPSHOT'];
const approved = ['1.9', '1.10', '1.10-rc1', '1.8-SNAPSHOT'];

let origin: OriginServer;
let registry: TestRegistry;
/** What was published of each POM. */
const poms = new Map<string, Checksums>();

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${registry.url}/maven/${path}`, { redirect: 'manual', ...init });
const lib = (version: string, ending: string): string => toPath(`${name}:${version}`, ending);
const known = async (version: string): Promise<boolean> => {
  const path = `${packagePath(name, '/evidence')}?version=${version}`;
  return (await registry.get(path)).body.facts?.found === 'yes';
};
const approve = (version: string, body = {}) =>
  registry.post(`${packagePath(name, '/approve')}?version=${version}`, body);
const hourMs = 60 * 60_000;
const passes = async (path: string): Promise<boolean> => (await ask(path)).status === 302;

beforeAll(async () => {
  origin = await startOriginServer();
  const publish = (
    ...of: Parameters<typeof publishMaven> extends [unknown, ...infer R] ? R : never
  ) => poms.set(of[0], publishMaven(origin, ...of));
  publish(grandparent, { packaging: 'pom' });
  publish(parent, { packaging: 'pom', parent: grandparent });
  publish(bom, { packaging: 'pom' });
  const files = ['-sources.jar', '-linux-x86_64.jar', '.module'];
  for (const version of submitted) publish(`${name}:${version}`, { parent, boms: [bom], files });
  const clock = new FunctionClock();
  registry = await TestRegistry.start({ originUrl: origin.url, indexing: true, clock });
  for (const version of submitted) {
    await registry.submit({ ecosystem: 'maven', name, version });
    await until(() => known(version));
  }
  for (const version of approved) await approve(version);
  await until(() => passes(toPath(bom, '.pom')));
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});

describe('a file', () => {
  it.each([
    ...['.pom', '.jar', '-sources.jar', '-linux-x86_64.jar', '.module'],
    ...['.pom.asc', '.jar.asc', '-sources.jar.asc', '.jar.sigstore.json'],
  ])('of an approved version comes from its origin: %s', async (ending) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await ask(lib('1.10', ending), { method });
      const location = `${origin.url}/maven/${lib('1.10', ending)}`;
      expect([status, headers.get('location')]).toEqual([302, location]);
    }
  });

  it('is found by a path that is encoded as a whole', async () => {
    const { status, headers } = await ask(encodeURIComponent(lib('1.10', '.jar')));

    expect([status, headers.get('location')]).toEqual([
      302,
      `${origin.url}/maven/${lib('1.10', '.jar')}`,
    ]);
  });

  it.each([
    [lib('1.11', '.jar'), `maven:${name}@1.11 waits for review; approved: 1.10`],
    [lib('1.11', '.pom'), `maven:${name}@1.11 waits for review; approved: 1.10`],
    [lib('2.0', '.jar'), `maven:${name}@2.0 was never submitted for review; approved: 1.10`],
    [toPath('org.other:x:1', '.pom'), 'ask: registry submit maven:org.other:x@1'],
    [lib('1.11', '.jar.sha1'), `maven:${name}@1.11 waits for review; approved: 1.10`],
  ])('is refused with the reason: %s', async (path, why) => {
    const answer = await ask(path);

    expect(answer.status).toBe(403);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const { code, error } = (await answer.json()) as { code: string; error: string };
    expect(code).toBe('not_approved');
    expect(error).toContain(why);
  });

  it.each(['-evil.jar', '.exe', '-evil.jar.asc', '-evil.jar.sha1', '.jar.asc.jar'])(
    'that came after the approval is refused, with its checksum: %s',
    async (ending) => {
      const path = lib('1.10', ending);
      origin.serve(`/maven/${path}`, { body: 'published later' });

      const answer = await ask(path);

      expect(answer.status).toBe(403);
      const file = path.replace(/^.*\//, '').replace(/\.sha1$/, '');
      expect(await answer.json()).toMatchObject({
        code: 'not_approved',
        error: `${file} is none of the files of maven:${name}@1.10 that were there when it was approved`,
      });
    },
  );

  it('of a version that its origin did not have when it was approved is refused once it has it', async () => {
    const late = packagePath('org.acme:late');
    await registry.submit({ ecosystem: 'maven', name: 'org.acme:late', version: '1' });
    await until(async () => (await registry.get(`${late}/evidence`)).body.facts?.found === 'no');
    await registry.post(`${late}/approve`, { override: ['not_found_at_origin'], reason: 'soon' });
    publishMaven(origin, 'org.acme:late:1');

    for (const ending of ['.pom', '.jar']) {
      const answer = await ask(toPath('org.acme:late:1', ending));
      expect([answer.status, Object(await answer.json()).code]).toEqual([403, 'not_pinned_yet']);
    }
  });

  it('of a version that was approved before its origin was asked is refused for now', async () => {
    await registry.submit({ ecosystem: 'maven', name: 'org.acme:unknown', version: '1' });
    await registry.post(`${packagePath('org.acme:unknown', '/approve')}`);

    for (const path of ['1/unknown-1.jar', '1/unknown-1.pom.sha1', 'maven-metadata.xml']) {
      const answer = await ask(`org/acme/unknown/${path}`);
      expect([answer.status, Object(await answer.json()).code]).toEqual([403, 'not_pinned_yet']);
    }
  });

  it('is refused from the moment on that its version is rejected, or its approval has run out', async () => {
    const path = lib('1.9', '.jar');
    expect(await passes(path)).toBe(true);

    await registry.post(`${packagePath(name, '/reject')}?version=1.9`, {
      reason: 'It phones home',
    });
    expect(Object(await (await ask(path)).json()).error).toContain('is rejected: It phones home');

    const expires_at = registry.clock.at(hourMs);
    await approve('1.9', { reason: 'for an hour', expires_at });
    expect(await passes(path)).toBe(true);
    registry.clock.pass(hourMs);
    expect((await ask(path)).status).toBe(403);
    expect(Object(await (await ask(path)).json()).error).toContain('its approval expired');
    await approve('1.9', { reason: 'for ever' });
  });
});

describe('a checksum', () => {
  it.each(checksumAlgorithms)('of a POM is that of what was read at the time: %s', async (kind) => {
    const answer = await ask(lib('1.10', `.pom.${kind}`));

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(await answer.text()).toBe(poms.get(`${name}:1.10`)?.[kind]);
  });

  it('of a jar is what the origin said at the time, whatever it says by now', async () => {
    const path = lib('1.10', '.jar.sha1');
    const before = await (await ask(path)).text();
    origin.serve(`/maven/${path}`, { body: 'f'.repeat(40) });

    expect(before).toBe(hash('sha1', `the jar of ${name}:1.10`));
    expect(await (await ask(path)).text()).toBe(before);
  });

  it.each([
    lib('1.10', '.jar.sha512'),
    lib('1.10', '-sources.jar.md5'),
    lib('1.10', '.jar.asc.md5'),
  ])('is not there where none was pinned: %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });
});

describe('what approved versions lean on', () => {
  it.each([parent, grandparent, bom])('passes as a POM, with its checksum: %s', async (pom) => {
    const { status, headers } = await ask(toPath(pom, '.pom'));
    const sum = await ask(toPath(pom, '.pom.sha256'));

    expect([status, headers.get('location')]).toEqual([
      302,
      `${origin.url}/maven/${toPath(pom, '.pom')}`,
    ]);
    expect([sum.status, await sum.text()]).toEqual([200, poms.get(pom)?.sha256]);
  });

  it.each(['.jar', '.jar.sha1', '.pom.asc', '-sources.jar'])(
    'passes as nothing else: %s',
    async (ending) => {
      expect((await ask(toPath(parent, ending))).status).toBe(403);
    },
  );

  it('passes no longer than they are approved', async () => {
    publishMaven(origin, 'org.acme:lonely:1', { packaging: 'pom' });
    publishMaven(origin, 'org.acme:child:1', { parent: 'org.acme:lonely:1' });
    const child = packagePath('org.acme:child');
    await registry.submit({ ecosystem: 'maven', name: 'org.acme:child', version: '1' });
    await until(async () => (await registry.get(`${child}/evidence`)).body.facts?.found === 'yes');
    const path = toPath('org.acme:lonely:1', '.pom');
    expect(await passes(path)).toBe(false);

    await registry.post(`${child}/approve`);
    await until(() => passes(path));
    await registry.post(`${child}/reject`, { reason: 'no more' });
    await until(async () => (await ask(path)).status === 403);
  });
});

describe('the metadata of an artifact', () => {
  const path = 'org/acme/tools/lib/maven-metadata.xml';

  it('has approved versions alone, in their order', async () => {
    const answer = await ask(path);

    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/xml']);
    const text = await answer.text();
    expect(text.replace(/\s+/g, '')).toMatch(
      /^<\?xmlversion="1.0"encoding="UTF-8"\?><metadata><groupId>org.acme.tools<\/groupId><artifactId>lib<\/artifactId><versioning><latest>1.10<\/latest><release>1.10<\/release><versions><version>1.9<\/version><version>1.10-rc1<\/version><version>1.10<\/version><\/versions><lastUpdated>\d{14}<\/lastUpdated><\/versioning><\/metadata>$/,
    );
  });

  it('has the checksums of that very text', async () => {
    const text = await (await ask(path)).text();

    for (const kind of checksumAlgorithms) {
      expect(await (await ask(`${path}.${kind}`)).text()).toBe(hash(kind, text));
    }
  });

  it('is not sent again to who has it, and may be kept for a minute', async () => {
    const { headers } = await ask(path);

    const again = await ask(path, { headers: { 'If-None-Match': headers.get('etag') ?? '' } });

    expect(headers.get('cache-control')).toBe(
      'public, max-age=60, must-revalidate, stale-if-error=0',
    );
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(['org/other/x/maven-metadata.xml', 'org/acme/maven-metadata.xml.sha1'])(
    'is refused where no version is approved, as is that of a group: %s',
    async (one) => {
      const answer = await ask(one);

      expect(answer.status).toBe(403);
      expect(Object(await answer.json()).error).toContain('ask: registry submit maven:');
    },
  );
});

it.each([
  lib('1.8-SNAPSHOT', '.jar'),
  'archetype-catalog.xml',
  'org%2facme%2f..%2fx%2f1%2fx-1.jar',
])('nothing is served at %s', async (path) => {
  expect((await ask(path)).status).toBe(404);
});

it.each([
  [lib('1.10', '.jar'), 302],
  [lib('1.11', '.jar'), 403],
  ['org/acme/tools/lib/maven-metadata.xml', 200],
])(
  'plugins are asked for at an address of their own, and pass as everything else: %s',
  async (path, status) => {
    expect((await ask(`-/plugins/${path}`)).status).toBe(status);
  },
);

it('asks nothing of the origin on the way of a request', async () => {
  const before = origin.requests.length;

  await ask(lib('1.10', '.jar'));
  await ask(lib('1.10', '.jar.sha1'));
  await ask('org/acme/tools/lib/maven-metadata.xml');

  expect(origin.requests.length).toBe(before);
});
