import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReviewPage } from '../../shared/api/schemas/review.ts';
import { eventually } from '../support/eventually.ts';
import { FunctionClock } from '../support/function-clocks.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const dayMs = 24 * 60 * 60_000;
const tokens = { ci: `ci-${'c'.repeat(32)}`, web: `web-${'w'.repeat(32)}` };

const clock = new FunctionClock();
let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({
    ...{ tokens: `ci:${tokens.ci},web:${tokens.web}`, clock },
    ...{ licenses: true, indexing: true },
  });
});
afterAll(() => registry.close());

/** The rest of a cursor behind its rank. */
const rest = encodeURIComponent('2026-01-01T00:00:00.000Z#npm#a#1.0.0');

type Fields = Readonly<Record<string, unknown>>;

const submit = (name: string, fields: Fields = {}, token = tokens.ci) =>
  registry.submit({ ecosystem: 'npm', name, version: '1.0.0', ...fields }, { token });

const decide = async (name: string, action: 'approve' | 'reject'): Promise<void> => {
  const body = { reason: 'A test' };
  const { status } = await registry.post(packagePath(name, `/${action}`), body, {
    token: tokens.ci,
  });
  expect(status).toBe(200);
};

const scan = async (name: string, ...severities: readonly string[]): Promise<void> => {
  const vulnerabilities = severities.map((severity, at) => ({ id: `CVE-2026-${at}`, severity }));
  const path = `/api/v1/security/scans/${name}`;
  const { status } = await registry.post(
    path,
    { tool: 'audit', vulnerabilities },
    {
      token: tokens.ci,
    },
  );
  expect(status).toBe(201);
};

const list = async (query = ''): Promise<ReviewPage> => {
  const { status, body } = await registry.get(`/api/v1/reviews${query && `?${query}`}`);
  expect(status).toBe(200);
  return body;
};

const toNames = ({ reviews }: ReviewPage): string[] => reviews.map(({ name }) => name);

/** Waits for the index worker, and returns the names of a list. */
const listed = (query: string, names: readonly string[]) =>
  eventually(async () => expect(toNames(await list(query)).sort()).toEqual([...names].sort()));

describe('GET /reviews', () => {
  beforeAll(async () => {
    await submit('old', { batch: 'shop', license: 'MIT', submitted_by: 'Ana' });
    clock.pass(5 * dayMs);
    await submit('snake', { ecosystem: 'pypi', batch: 'till', license: 'AGPL-3.0-only' });
    clock.pass(5 * dayMs);
    // The Cyrillic letter makes the license unreadable.
    await submit('bad', { batch: 'shop', license: '\u041CIT' }, tokens.web);
    await scan('bad', 'critical', 'low');
    await submit('vague', { license: 'MIT' });
    await scan('vague', 'unrated');
    await submit('done', { batch: 'shop', license: 'MIT' });
    await decide('done', 'approve');
    await submit('gone', { batch: 'shop', license: 'MIT' });
    await decide('gone', 'reject');
    const again = { ecosystem: 'npm', name: 'old', version: '1.0.0', batch: 'till' };
    const { status } = await registry.post('/api/v1/packages', again, { token: tokens.ci });
    expect(status).toBe(409);
    await listed('', ['old', 'snake', 'bad', 'vague']);
    await listed('batch=till', ['old', 'snake']);
    await listed('batch=shop&status=approved', ['done']);
    await listed('batch=shop&status=rejected', ['gone']);
    await listed('severity=unrated', ['vague']);
    await listed('severity=critical', ['bad']);
    await listed('demand=2', ['old']);
  });

  it.each<[string, string[], number]>([
    ['', ['old', 'snake', 'bad', 'vague'], 4],
    ['status=pending', ['old', 'snake', 'bad', 'vague'], 4],
    ['batch=shop', ['old', 'bad'], 4],
    ['batch=shop&status=all', ['old', 'bad', 'done', 'gone'], 4],
    ['batch=shop&status=approved', ['done'], 4],
    ['batch=shop&status=rejected', ['gone'], 4],
    ['batch=till', ['old', 'snake'], 2],
    ['batch=unknown', [], 0],
    ['ecosystem=npm', ['old', 'bad', 'vague'], 4],
    ['ecosystem=pypi', ['snake'], 4],
    ['ecosystem=maven', [], 4],
    ['issue=scan_failed', ['bad'], 2],
    ['issue=none', ['vague'], 4],
    ['issue=scan_missing', ['old', 'snake'], 4],
    ['severity=critical', ['bad'], 1],
    ['severity=low', ['bad'], 1],
    ['severity=unrated', ['vague'], 2],
    ['license_status=approved', ['old', 'vague'], 4],
    ['license_status=unreadable', ['bad'], 4],
    ['license_status=rejected', ['snake'], 4],
    ['submitter=Ana', ['old'], 4],
    ['submitter=web', ['bad'], 4],
    ['submitter=ci', ['old', 'snake', 'vague'], 4],
    ['waiting_days=10', ['old'], 1],
    ['waiting_days=5', ['old', 'snake'], 2],
    ['waiting_days=11', [], 0],
    ['demand=1', ['old', 'snake', 'bad', 'vague'], 4],
    ['demand=2', ['old'], 1],
    ['demand=3', [], 0],
    ['sort=-submitted_at', ['vague', 'bad', 'snake', 'old'], 4],
    ['sort=severity', ['bad', 'vague', 'old', 'snake'], 6],
    ['sort=demand', ['old', 'snake', 'bad', 'vague'], 5],
    ['label=web', ['bad'], 1],
    ['label=ci&status=approved', ['done'], 5],
    ['ecosystem=npm&name=vague', ['vague'], 1],
    ['batch=shop&issue=scan_failed&severity=high&submitter=web&demand=1', ['bad'], 4],
  ])('answers ?%s', async (query, names, looked_at) => {
    const page = await list(query);

    expect(toNames(page)).toEqual(names);
    expect(page).toMatchObject({ looked_at, complete: true, next: null });
  });

  it('shows batches, the submitter and the data for a decision', async () => {
    const [review] = (await list('demand=2')).reviews;

    const evidence = (await registry.get(packagePath('old', '/evidence'))).body;
    expect(review).toMatchObject({
      ...{ name: 'old', batches: ['shop', 'till'], demand: 2, waits_for: ['rules'], rule: null },
      ...{ submitted_by: 'Ana', submitted_token_label: 'ci', license_status: 'approved' },
      ...{ evidence_version: evidence.evidence_version, issues: evidence.issues },
    });
  });

  it.each([
    ['batch=', 'batch', 'must be a short name'],
    ['batch=a%20b', 'batch', 'must be a short name'],
    ['batch=a%2Fb', 'batch', 'must be a short name'],
    ['batch=a%23b', 'batch', 'must be a short name'],
    ['batch=%23pending', 'batch', 'must be a short name'],
    ['batch=-shop', 'batch', 'must be a short name'],
    ['batch=shop%0A', 'batch', 'must be a short name'],
    ['batch=%C3%A4', 'batch', 'must be a short name'],
    [`batch=${'b'.repeat(101)}`, 'batch', 'must be a short name'],
    ['status=approved', 'status', 'needs a batch or a label'],
    ['name=old', 'name', 'needs an ecosystem'],
    ['label=ci&sort=demand', 'sort', 'must be submitted_at or -submitted_at with a batch'],
    ['sort=severity&after=2026-01-01T00:00:00Z', 'after', 'with equal `sort`'],
    [`sort=severity&severity=critical&after=s:4${rest}`, 'after', 'with equal `sort`'],
    [`sort=severity&severity=low&after=p:${rest}`, 'after', 'with equal `sort`'],
    [`sort=severity&issue=malware&after=p:${rest}`, 'after', 'with equal `sort`'],
    [`sort=demand&demand=3&after=w:18${rest}`, 'after', 'with equal `sort`'],
    ['status=all', 'status', 'needs a batch'],
    ['status=open&batch=shop', 'status', 'must be one of pending, approved, rejected, all'],
    ['ecosystem=cargo', 'ecosystem', 'must be one of pypi, npm, maven, docker'],
    ['issue=unsafe', 'issue', 'must be one of malware, '],
    ['severity=high,low', 'severity', 'must be one of critical, high, '],
    ['severity=', 'severity', 'must be one of critical, high, '],
    ['license_status=unknown', 'license_status', 'must be one of approved, '],
    ['submitter=', 'submitter', 'must not be blank'],
    ['waiting_days=-1', 'waiting_days', 'must be a whole number from 0 to 3650'],
    ['waiting_days=1.5', 'waiting_days', 'must be a whole number from 0 to 3650'],
    ['waiting_days=3651', 'waiting_days', 'must be a whole number from 0 to 3650'],
    ['demand=0', 'demand', 'must be a whole number from 1 to 20'],
    ['demand=21', 'demand', 'must be a whole number from 1 to 20'],
    ['limit=0', 'limit', 'must be a whole number from 1 to 1000'],
    ['limit=all', 'limit', 'must be a whole number from 1 to 1000'],
    ['after=old', 'after', 'must be a time in UTC'],
    ['after=2026-01-01T00:00:00.000Z~npm', 'after', 'must be a time in UTC'],
    ['batches=shop', 'batches', 'is unknown; there are batch, status'],
  ])('refuses ?%s with 400, the field and the rule', async (query, path, message) => {
    const { status, body } = await registry.get(`/api/v1/reviews?${query}`);

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path, message: expect.stringContaining(message) }]);
    expect(body.detail).toContain(path);
  });

  it.each(['n:00000001', `s:1${rest}`, `p:${rest}`])(
    'refuses a summary after %s',
    async (after) => {
      const { status, body } = await registry.get(`/api/v1/reviews/summary?after=${after}`);

      expect([status, body.errors?.[0]?.path]).toEqual([400, 'after']);
    },
  );
});

describe('a batch', () => {
  const odd = ['B', '0', 'a..b', '2026_11-26.x--_', 'constructor', 'toString', 'b'.repeat(100)];

  it.each(odd.map((batch, at) => [batch, `odd-${at}`] as const))(
    'may have the name %s',
    async (batch, name) => {
      await submit(name, { batch });

      await eventually(async () => expect((await list(`batch=${batch}`)).reviews).toHaveLength(1));

      const [review] = (await list(`batch=${batch}`)).reviews;
      expect(review).toMatchObject({ name, batches: [batch], demand: 1 });
    },
  );

  it('is joined by a pending version that is submitted again, and the refusal says so', async () => {
    await submit('again', { batch: 'first' });
    const again = { ecosystem: 'npm', name: 'again', version: '1.0.0', batch: 'second' };
    const refuse = async () => {
      const { status, body } = await registry.post('/api/v1/packages', again, { token: tokens.ci });
      expect([status, body.code]).toEqual([409, 'package_exists']);
      return body.detail;
    };

    expect(await refuse()).toBe(
      'npm:again@1.0.0 was submitted before. It is pending already, and is now also in batch second.',
    );
    expect(await refuse()).toBe(
      'npm:again@1.0.0 was submitted before and is pending. It is in batch second already, or in 20 others.',
    );
    await listed('batch=second', ['again']);
    await decide('again', 'approve');
    expect(await refuse()).toBe('npm:again@1.0.0 was submitted before and is approved.');
  });

  it('has exactly its own versions, beside names with the same beginning or other case', async () => {
    const names = ['app', 'app-2', 'App', 'app.'];
    for (const [at, batch] of names.entries()) await submit(`part-${at}`, { batch });

    for (const [at, batch] of names.entries()) await listed(`batch=${batch}`, [`part-${at}`]);
  });

  it.each([
    '',
    ' ',
    'a b',
    '-a',
    '.a',
    '_a',
    'a/b',
    'a#b',
    '#pending',
    'ä',
    'a\n',
    'b'.repeat(101),
  ])('may not have the name %j', async (batch) => {
    const body = { ecosystem: 'npm', name: 'refused', version: '1.0.0', batch };

    const answer = await registry.post('/api/v1/packages', body, { token: tokens.ci });

    expect(answer.status).toBe(400);
    const message = expect.stringContaining('must be a short name, such as shop-2026-11');
    expect(answer.body.errors).toMatchObject([{ path: 'batch', message }]);
  });
});

describe('pages', () => {
  const versions = Array.from({ length: 30 }, (_, at) => `page-${String(at).padStart(2, '0')}`);

  /** Reads all pages of a list, and runs work between two pages. */
  const walk = async (query: string, between: (page: number) => Promise<unknown>) => {
    const pages = [await list(query)];
    for (let last = pages[0]; last?.next; last = pages.at(-1)) {
      await between(pages.length);
      pages.push(await list(`${query}&after=${encodeURIComponent(last.next)}`));
    }
    return pages;
  };

  const fill = async (batch: string) => {
    const names = versions.map((name) => `${batch}-${name}`);
    for (const name of names) await submit(name, { batch });
    await listed(`batch=${batch}`, names);
    return names;
  };

  it('neither lose nor repeat a version that stays pending while others are decided', async () => {
    const names = await fill('moving');
    const decided: string[] = [];
    const decideOne = async (at: number, action: 'approve' | 'reject') => {
      const name = names[at];
      if (name === undefined || decided.includes(name)) return;
      decided.push(name);
      await decide(name, action);
    };

    const pages = await walk('batch=moving&limit=4', async (page) => {
      // The last version of the page before, one in the middle of the next page, and one further on.
      await decideOne(4 * page - 1, 'approve');
      await decideOne(4 * page + 2, 'reject');
      await decideOne(29 - page, 'approve');
    });

    const seen = pages.flatMap(toNames);
    expect(seen).toEqual([...new Set(seen)].sort());
    expect(seen).toEqual(expect.arrayContaining(names.filter((name) => !decided.includes(name))));
    expect(pages.map(({ complete }) => complete)).toEqual(pages.map(({ next }) => next === null));
    expect(decided.length).toBeGreaterThan(10);
    // What was decided before its page was read is not pending.
    expect(seen).not.toContain(names[6]);
  });

  it('have every version of a batch once with status=all, whatever is decided or submitted', async () => {
    const names = await fill('whole');

    const pages = await walk('batch=whole&status=all&limit=7', async (page) => {
      await decide(`whole-page-${String(3 * page).padStart(2, '0')}`, 'approve');
      await submit(`whole-page-9${page}`, { batch: 'whole' });
    });

    const seen = pages.flatMap(toNames);
    expect(seen.slice(0, 30)).toEqual(names);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('have a link to the next one, and count what they looked at', async () => {
    await fill('linked');

    const first = await registry.get('/api/v1/reviews?batch=linked&limit=29');
    const [, link = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '') ?? [];
    const second = await registry.get(new URL(link, registry.url).href.slice(registry.url.length));

    expect(first.body).toMatchObject({ looked_at: 29, complete: false });
    expect(first.body.reviews).toHaveLength(29);
    expect(second.body).toMatchObject({ looked_at: 1, complete: true, next: null });
    expect(second.body.reviews).toMatchObject([{ name: 'linked-page-29' }]);
    expect(second.headers.get('Link')).toBeNull();
  });

  it('may begin after a time', async () => {
    await submit('early', { batch: 'timed' });
    clock.pass(dayMs);
    const time = clock.at(-dayMs / 2);
    await submit('late', { batch: 'timed' });
    await listed('batch=timed', ['early', 'late']);

    expect(toNames(await list(`batch=timed&after=${time}`))).toEqual(['late']);
  });
});

it('summarizes pending versions and batches, and lists batches page by page', async () => {
  await submit('summed-a', { batch: 'summed' });
  await submit('summed-b', { batch: 'summed' });
  await decide('summed-b', 'reject');

  await eventually(async () => {
    const { status, body } = await registry.get('/api/v1/reviews/summary?batch=summed');
    expect(status).toBe(200);
    expect(body).toMatchObject({ pending: 1, approved: 0, rejected: 1, complete: true });
  });
  const first = await registry.get('/api/v1/batches?limit=1');
  const [, link = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '') ?? [];
  const second = await registry.get(new URL(link, registry.url).href.slice(registry.url.length));
  expect(first.body.batches).toHaveLength(1);
  expect(second.body.batches).toHaveLength(1);
  expect(second.body.batches).not.toEqual(first.body.batches);
});
