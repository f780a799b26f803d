import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { findPreset } from '../../shared/domain/policy/presets.ts';
import { CommandLine } from '../support/command-line.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { TestRegistry } from '../support/registry.ts';
import { json, type Scene, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const dayMs = 86_400_000;

let osv: OsvServer;
let origin: OriginServer;
let registry: TestRegistry;
let commandLine: CommandLine;

interface Served {
  readonly license: string;
  readonly days: number;
  readonly deprecated?: string;
}

const versions: Readonly<Record<string, Served>> = {
  proven: { license: 'MIT', days: 100 },
  another: { license: 'Apache-2.0', days: 100 },
  strict: { license: 'AGPL-3.0-only', days: 100 },
  gone: { license: 'MIT', days: 100, deprecated: 'Use another.' },
  fresh: { license: 'MIT', days: 2 },
};

const serve = (name: string, { license, days, deprecated }: Served): void => {
  const time = new Date(Date.now() - days * dayMs).toISOString();
  const dist = { tarball: `${origin.url}/npm/${name}/-/${name}-1.0.0.tgz`, shasum: 'a'.repeat(40) };
  const manifest = { name, version: '1.0.0', license, dist, ...(deprecated && { deprecated }) };
  origin.serve(`/npm/${name}`, {
    body: {
      name,
      'dist-tags': { latest: '1.0.0' },
      time: { created: time, '1.0.0': time },
      versions: { '1.0.0': manifest },
    },
  });
};

const makeProject = (folder: string, names: readonly string[]): string => {
  const path = join(commandLine.folder, folder);
  mkdirSync(path, { recursive: true });
  const packages = Object.fromEntries(
    names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]),
  );
  const root = { '': { dependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) } };
  writeFileSync(
    join(path, 'package-lock.json'),
    JSON.stringify({ lockfileVersion: 3, packages: { ...root, ...packages } }),
  );
  return path;
};

beforeAll(async () => {
  [osv, origin] = await Promise.all([startOsvServer(), startOriginServer()]);
  for (const [name, served] of Object.entries(versions)) serve(name, served);
  const policy = ReviewPolicy.parse(findPreset('balanced@1'));
  registry = await TestRegistry.start({
    ...{ tokens: `ana:${token}`, osvUrl: osv.url, originUrl: origin.url, policy },
    ...{ indexing: true, licenses: true },
  });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await Promise.all([registry.close(), osv.close(), origin.close()]);
});

const run = (args: readonly string[], cwd: string, url = registry.url) =>
  commandLine.run(args, { cwd, env: { REGISTRY_URL: url, REGISTRY_TOKEN: token } });

describe('--submit --wait', () => {
  it('ends with the decisions of each rule, and with the versions that people have to decide', async () => {
    const cwd = makeProject('shop', Object.keys(versions));

    const { code, stdout, stderr } = await run(['check', '--submit', '--wait'], cwd);

    expect(code).toBe(1);
    expect(stderr).toContain('5 submitted for review');
    expect(stderr).toContain('2 approved by the rule of-age');
    expect(stderr).toMatch(
      /Pending: .*1 waiting for the required age \(rule of-age\).* The last of them reaches its age on \d{4}-\d\d-\d\d\./,
    );
    expect(stderr).toContain('1 needing a review (rule withdrawn)');
    const [, batch = ''] = /queue\?batch=(shop-[0-9a-f]{8})\n/.exec(stderr) ?? [];
    expect(stdout).toMatch(/npm:gone@1\.0\.0 +Pending: it needs manual review \(rule withdrawn\)/);

    const listed = await run(['queue', '--batch', batch, '--status', 'all', '--json'], cwd);
    const { reviews } = JSON.parse(listed.stdout) as { reviews: { name: string; rule: string }[] };
    expect(Object.fromEntries(reviews.map(({ name, rule }) => [name, rule]))).toMatchObject({
      ...{ proven: 'of-age', another: 'of-age', gone: 'withdrawn', fresh: 'of-age' },
    });
    expect(reviews).toHaveLength(5);

    const paged = await registry.get(`/api/v1/reviews?batch=${batch}&status=all&limit=2`);
    expect(paged.body).toMatchObject({ looked_at: 2, complete: false });
    expect(paged.headers.get('Link')).toContain('rel="next"');
  });

  it('adds versions of another project to its own batch, and passes if rules approved all', async () => {
    const cwd = makeProject('till', ['gone', 'proven']);
    const passing = makeProject('lab', ['proven', 'another']);

    const [joined, passed] = await Promise.all([
      run(['check', '--submit', '--wait', '--batch', 'till-1'], cwd),
      run(['check', '--submit', '--wait', '30s'], passing),
    ]);

    expect(joined.stderr).toContain('0 submitted for review, 1 already known.');
    const { body } = await registry.get('/api/v1/reviews?batch=till-1');
    const [review] = body.reviews;
    expect(review).toMatchObject({ name: 'gone', demand: 2 });
    expect(review.batches).toContain('till-1');
    expect(passed).toMatchObject({ code: 0 });
    expect(passed.stderr).toContain('There was nothing to submit.');
  });
});

const waiting = { rule: null, waits_for: ['scan'], waits_until: null };
const pending = { status: 'pending', allowed: false, expires_at: null, reasons: [] };
const slow = { ecosystem: 'npm', name: 'slow', version: '1.0.0' };

/** A registry with one version, whose states come one after the other; the last one again and again. */
const startStates = (rules: readonly object[], ...states: readonly object[]) => {
  let checks = 0;
  const answer: Scene = (response, request) => {
    const { url = '' } = request;
    if (url.endsWith('/policy')) return json(200, { rules, run: null })(response, request);
    if (url.endsWith('/submissions')) {
      const results = [{ status: 201, package: { status: 'pending' } }];
      return json(200, { results })(response, request);
    }
    const state = states[Math.min(checks, states.length - 1)];
    checks += 1;
    const origins = { npm: { index_hosts: ['npm.test'], file_hosts: ['npm.test'] } };
    return json(200, { packages: [{ ...slow, ...state }], origins })(response, request);
  };
  return startScripted(answer);
};

const unknown = { status: 'unknown', allowed: false, expires_at: null, reasons: [] };
const review = { ...pending, rule: null, waits_for: ['review'], waits_until: null };
const frozen = { ...pending, rule: 'of-age', waits_for: ['freeze'], waits_until: null };
const unevaluated = { ...pending, rule: null, waits_for: ['rules'], waits_until: null };

describe('the wait', () => {
  it('ends with 3 after its time, and lists what still waits', async () => {
    const server = await startStates([{}], unknown, { ...pending, ...waiting });
    const cwd = makeProject('slow', ['slow']);

    const { code, stdout, stderr } = await run(
      ['check', '--submit', '--wait', '1s'],
      cwd,
      server.url,
    );

    await server.close();
    expect(code).toBe(3);
    expect(stdout).toMatch(/^pending +npm:slow@1\.0\.0/m);
    expect(stderr).toContain('Pending: 1 waiting for automatic checks.');
    expect(stderr).toContain('Some versions still wait after 1 s');
  });

  it('waits for a scan and for rules, and ends at the first review', async () => {
    const states = [unknown, { ...pending, ...waiting }, unevaluated, review];
    const server = await startStates([{}], ...states);
    const cwd = makeProject('slow', ['slow']);

    const { code, stderr } = await run(['check', '--submit', '--wait'], cwd, server.url);

    await server.close();
    expect(code).toBe(1);
    expect(stderr).toContain('Pending: 1 needing a review.');
    const checks = server.received.filter(({ url }) => url?.endsWith('/check'));
    expect(checks).toHaveLength(states.length);
  });

  it('does not wait for the end of a freeze, and names it', async () => {
    const server = await startStates([{}], unknown, unevaluated, frozen);
    const cwd = makeProject('slow', ['slow']);

    const { code, stderr } = await run(['check', '--submit', '--wait'], cwd, server.url);

    await server.close();
    expect(code).toBe(1);
    expect(stderr).toContain('Pending: 1 waiting for the end of the freeze (rule of-age).');
  });

  it('does not wait for rules that nobody has deployed', async () => {
    const server = await startStates([], unknown, unevaluated);
    const cwd = makeProject('slow', ['slow']);

    const { code, stderr } = await run(['check', '--submit', '--wait'], cwd, server.url);

    await server.close();
    expect(code).toBe(1);
    expect(stderr).toContain('Pending: 1 waiting for rules or a review.');
  });

  it.each([
    [['--wait'], '--wait needs --submit.'],
    [['--batch', 'x'], '--batch needs --submit.'],
    [['--submit', '--wait', 'soon'], 'Give a time such as 90s, 10m or 1h.'],
    [['--submit', '--batch', 'a b'], 'The name must be a short name'],
  ])('refuses %j', async (flags, message) => {
    const { code, stderr } = await run(['check', ...flags], makeProject('slow', ['slow']));

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
