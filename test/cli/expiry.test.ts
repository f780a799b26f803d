import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidence } from '../../shared/api/openapi/examples/review.ts';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';
import { json, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const dayMs = 24 * 60 * 60_000;

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ana:${token}` });
  commandLine = CommandLine.install();
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const environment = () => ({ REGISTRY_URL: registry.url, REGISTRY_TOKEN: token });

const run = (args: readonly string[]) => commandLine.run(args, { env: environment() });

const result = async (...args: readonly string[]) =>
  JSON.parse((await run([...args, '--json'])).stdout);

const submit = (name: string) =>
  registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' }, { token });

/** The number of days until a date. */
const daysUntil = (at: string): number => Math.round((Date.parse(at) - Date.now()) / dayMs);

const inAYear = new Date(Date.now() + 365 * dayMs).toISOString();

describe('approve --expires', () => {
  it.each([
    ['90d', { expires_in_days: 90 }],
    [inAYear.slice(0, 10), { expires_at: `${inAYear.slice(0, 10)}T00:00:00.000Z` }],
    ['2027-01-31T12:00:00Z', { expires_at: '2027-01-31T12:00:00.000Z' }],
  ])('takes %s', async (when, body) => {
    const request = await result('approve', 'x', '--expires', when, '--dry-run');

    expect(request.body).toEqual(body);
  });

  it.each(['0d', '1826d', '12m', '90', '2027-02-30', '2027-01-31T12:00:00', 'tomorrow'])(
    'refuses %s with exit code 2, and says what it takes',
    async (when) => {
      const { code, stderr } = await run(['approve', 'x', '--expires', when]);

      expect(code).toBe(2);
      expect(stderr).toContain(
        'It must be a duration such as 12h, 90d, 2w or 1y of at most 1825 days, a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z.',
      );
    },
  );

  it('sets an expiry date, which show, history and expirations show', async () => {
    await submit('for-a-while');

    const approved = await run(['approve', 'for-a-while', '--expires', '90d']);
    const shown = await result('show', 'for-a-while');
    const history = await run(['history', 'for-a-while']);
    const { expirations } = await result('expirations', '--before', '91d');
    const sooner = await result('expirations', '--before', '89d');
    const later = await result('expirations', '--after', '91d');

    expect(approved.code).toBe(0);
    expect(approved.stdout).toMatch(/^Expires at +\d{4}-\d\d-\d\dT[\d:]+Z, in 89 days$/m);
    expect(daysUntil(shown.expires_at)).toBe(90);
    expect(history.stdout).toMatch(/npm:for-a-while@1\.0\.0 approved by ana until \d{4}-\d\d-/);
    expect(expirations).toMatchObject([{ name: 'for-a-while', expires_at: shown.expires_at }]);
    expect([sooner.expirations, later.expirations]).toEqual([[], []]);
  });

  it("shows the registry's error for a time in the past", async () => {
    await submit('too-late');

    const { code, stderr } = await run(['approve', 'too-late', '--expires', '2020-01-01']);

    expect(code).toBe(1);
    expect(stderr).toContain('must be in the future');
  });
});

describe('expirations', () => {
  beforeAll(async () => {
    for (const [at, name] of ['first', 'second', 'third'].entries()) {
      await submit(name);
      await run(['approve', name, '--expires', `${200 + at}d`]);
    }
  });

  const within = ['expirations', '--after', '199d', '--before', '210d'];

  it('say that there is more, and by which command', async () => {
    const first = await run([...within, '--limit', '2']);
    const [, after = ''] = /--after '([^']+)' the next page\.\n$/.exec(first.stderr) ?? [];

    const second = await run(['expirations', '--before', '210d', '--after', after]);

    expect(first.stdout).toMatch(/^EXPIRES AT +PACKAGE\n/);
    expect(second.stdout.trimEnd().split('\n').slice(1)).toEqual([
      expect.stringMatching(/Z +npm:third@1\.0\.0$/),
    ]);
  });

  it('are all read with --all', async () => {
    const { expirations, next } = await result(...within, '--all', '--limit', '1');

    expect(expirations).toMatchObject([{ name: 'first' }, { name: 'second' }, { name: 'third' }]);
    expect(next).toBeNull();
  });

  it.each([
    ['expirations', '--before'],
    ['expirations', '--after'],
    ['history', '--before'],
  ])('of %s %s are refused for an invalid time', async (command, flag) => {
    const subject = command === 'history' ? ['first'] : [];

    const { code, stderr } = await run([command, ...subject, flag, 'soon']);

    expect(code).toBe(1);
    expect(stderr).toContain(`${flag.slice(2)} must be`);
    expect(stderr).toContain('2027-01-31T00:00:00Z');
  });

  it('take a day for its beginning', async () => {
    const now = Date.now();
    const days = [now, now + dayMs].map((at) => new Date(at).toISOString().slice(0, 10));

    const [before = '', after = ''] = days;
    const today = await run(['history', 'first', '--before', before]);
    const tomorrow = await result('history', 'first', '--before', after);

    expect(today).toMatchObject({ code: 0, stderr: 'Nothing matches.\n' });
    expect(tomorrow.history).toHaveLength(2);
  });
});

describe('a decision that is in force no more', () => {
  const reverse = async (name: string): Promise<void> => {
    await submit(name);
    await run(['reject', name, '--reason', 'Not yet', '--by', 'ben@example.com']);
    await run(['approve', name, '--reason', 'Now', '--expires', '30d']);
  };
  const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z';

  it('is shown with the one that is', async () => {
    await reverse('reversed');

    const { stdout } = await run(['show', 'reversed']);

    expect(stdout).toMatch(
      new RegExp(
        `^Previous +rejected by ben@example\\.com \\(token ana\\) on ${time}: Not yet$`,
        'm',
      ),
    );
  });

  it('shows the expired approval to a reviewer, and the expiry date of the next one', async () => {
    const previous = { status: 'approved', by: 'ben', at: inAYear, reason: 'For a test' };
    const pending = {
      ...{ name: 'renewed', ecosystem: 'npm', version: '1.0.0', status: 'pending', license: null },
      previous,
    };
    const approved = { ...pending, status: 'approved', expires_at: inAYear };
    const server = await startScripted((response, request) => {
      const { pathname } = new URL(request.url ?? '', 'http://registry');
      const page = { packages: [pending], total: 1, limit: 100, offset: 0 };
      const anybody = { label: null, scopes: ['submit', 'review'], fingerprint: null };
      if (pathname.endsWith('/evidence')) {
        json(200, { ...evidence, package: pending })(response, request);
      } else if (pathname === '/api/v1/packages') json(200, page)(response, request);
      else if (pathname === '/api/v1/whoami') json(200, anybody)(response, request);
      else json(200, request.method === 'POST' ? approved : pending)(response, request);
    });
    const terminal = commandLine.inTerminal(['review'], { env: { REGISTRY_URL: server.url } });
    const until = inAYear.replace(/\.\d+Z$/, 'Z');

    await terminal.shows(`approved by ben on ${until}, expired: For a test`);
    await terminal.shows('Approve, reject, skip or quit? ');
    terminal.type('a\r');
    await terminal.shows(`npm:renewed@1.0.0 is approved until ${until}.`);

    expect(await terminal.end()).toBe(0);
    await server.close();
  });
});

describe('approve --keep', () => {
  it('keeps the expiry date of an approval, with a reason', async () => {
    await submit('kept');
    const approved = JSON.parse(
      (await run(['approve', 'kept', '--expires', '90d', '--json'])).stdout,
    );

    const kept = await result('approve', 'kept', '--keep', '--reason', 'Used in tests only');
    const refused = await run(['approve', 'kept', '--keep']);

    expect(kept).toMatchObject({ status: 'approved', expires_at: approved.expires_at });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--keep needs --reason');
  });
});
