import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `review-team:${token}` });
});
afterAll(() => registry.close());

const submit = (name: string, version = '1.0.0', ecosystem: 'npm' | 'pypi' = 'npm') =>
  registry.submit({ ecosystem, name, version, license: 'MIT' }, { token });
const decide = (name: string, what: string, body?: unknown) =>
  registry.post(packagePath(name, `/${what}`), body, { token });
const historyOf = (name: string, query = '') => registry.get(packagePath(name, `/history${query}`));
const uploadScan = (name: string, vulnerabilities: readonly object[]) =>
  registry.post(
    `/api/v1/security/scans/${name}`,
    { tool: 'a-scanner', vulnerabilities },
    { token },
  );

describe('GET /packages/{name}/history', () => {
  it('tells who did what on what evidence, newest first', async () => {
    const name = 'remembered';
    await submit(name);
    await uploadScan(name, [{ id: 'CVE-2026-1', severity: 'critical', summary: 'Bad' }]);
    await uploadScan(name, [{ id: 'CVE-2026-1', severity: 'critical', summary: 'Bad' }]);
    const approval = { approved_by: 'ana@example.com', reason: 'only in tests', override: true };
    await decide(name, 'approve', approval);
    await uploadScan(name, []);
    await decide(name, 'reject', { reason: 'on second thoughts' });

    const { status, body } = await historyOf(name);

    expect(status).toBe(200);
    const subject = { ecosystem: 'npm', name, version: '1.0.0', token_label: 'review-team' };
    const nothing = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
    const mit = { text: 'MIT', normalized: 'MIT', status: 'unreviewed' };
    const license = {
      ...{ submitted: mit, upstream_declaration: 'unknown', upstream: null },
      effective: { source: 'submitted', ...mit },
    };
    expect(body).toEqual({
      next: null,
      history: [
        {
          ...subject,
          id: expect.any(String),
          type: 'package.rejected',
          at: expect.any(String),
          by: 'review-team',
          from: 'approved',
          to: 'rejected',
          reason: 'on second thoughts',
          justification: null,
          rule: null,
          overridden: [],
          question: false,
          expires_at: null,
          scan: null,
          acceptance: null,
          evidence: {
            scans: [expect.objectContaining({ number: 3, status: 'passed' })],
            merged_scan: { status: 'passed', severity: nothing, accepted: 0 },
            license,
            facts: null,
          },
        },
        expect.objectContaining({
          ...subject,
          type: 'package.approved',
          by: 'ana@example.com',
          from: 'pending',
          to: 'approved',
          reason: 'only in tests',
          overridden: ['scan_failed'],
          evidence: {
            scans: [
              {
                number: 2,
                tools_used: ['a-scanner'],
                label: 'review-team',
                scan_date: expect.any(String),
                status: 'failed',
                severity: { ...nothing, critical: 1 },
              },
            ],
            merged_scan: { status: 'failed', severity: { ...nothing, critical: 1 }, accepted: 0 },
            license,
            facts: null,
          },
        }),
        expect.objectContaining({
          ...subject,
          type: 'package.submitted',
          by: 'review-team',
          from: null,
          to: 'pending',
          evidence: null,
        }),
      ],
    });
    const times = body.history.map(({ at }: { at: string }) => at);
    expect(times).toEqual([...new Set(times)].sort().reverse());
  });

  it('names scans by numbers at which they can still be read', async () => {
    const name = 'evidenced';
    await submit(name);
    await uploadScan(name, [{ id: 'CVE-2026-7', severity: 'low', summary: 'Small' }]);
    await decide(name, 'approve');
    await uploadScan(name, []);

    const { body } = await historyOf(name);
    const { number } = body.history[0].evidence.scans[0];
    const path = `/api/v1/security/scans/${name}`;
    const [then, now, none, wrong] = await Promise.all(
      [`?number=${number}`, '', '?number=9', '?number=0'].map((query) =>
        registry.get(`${path}${query}`),
      ),
    );

    expect(then?.body.vulnerabilities).toMatchObject([{ id: 'CVE-2026-7' }]);
    expect(now?.body.vulnerabilities).toEqual([]);
    expect(none?.body).toMatchObject({ code: 'scan_not_found' });
    expect(none?.body.detail).toContain('number 9');
    expect(wrong?.body).toMatchObject({ errors: [{ path: 'number' }] });
  });

  it('is that of all versions and ecosystems of a name, or of those that are selected', async () => {
    const name = 'several';
    await submit(name, '1.0.0');
    await submit(name, '1.0.1');
    await submit(name, '1.0.0', 'pypi');
    const subjectsOf = async (query: string): Promise<string[]> => {
      const { body } = await historyOf(name, query);
      return body.history.map(
        (entry: { ecosystem: string; version: string }) => `${entry.ecosystem} ${entry.version}`,
      );
    };

    expect(await subjectsOf('')).toEqual(['pypi 1.0.0', 'npm 1.0.1', 'npm 1.0.0']);
    expect(await subjectsOf('?ecosystem=npm')).toEqual(['npm 1.0.1', 'npm 1.0.0']);
    expect(await subjectsOf('?version=1.0.0')).toEqual(['pypi 1.0.0', 'npm 1.0.0']);
    // Another spelling of the same version.
    expect(await subjectsOf('?ecosystem=pypi&version=1.0')).toEqual(['pypi 1.0.0']);
  });

  it.each(['', '?ecosystem=npm', '?version=1.0.0'])('comes in pages: %j', async (query) => {
    const name = `paged-${query.replaceAll(/[^a-z]/g, '')}`;
    await submit(name);
    for (let at = 0; at < 6; at += 1) {
      await decide(name, at % 2 ? 'reject' : 'approve', { reason: `${at}` });
    }
    const { body: whole } = await historyOf(name, query);
    const seen: object[] = [];
    let next: string | undefined = packagePath(name, `/history${query}${query ? '&' : '?'}limit=3`);
    let pages = 0;
    while (next) {
      const { body, headers } = await registry.get(next);
      seen.push(...body.history);
      pages += 1;
      const link = /<[^>]*(\/api[^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
      expect(link === undefined).toBe(body.next === null);
      next = link;
    }

    expect(whole.history).toHaveLength(7);
    expect(seen).toEqual(whole.history);
    expect(pages).toBe(3);
  });

  it('ends before a time', async () => {
    await submit('timed');
    const { body } = await historyOf('timed');
    const [{ at }] = body.history;

    const before = await historyOf('timed', `?before=${at}`);
    const after = await historyOf('timed', '?before=2999-01-01T00:00:00Z');

    expect(before.body).toEqual({ history: [], next: null });
    expect(after.body.history).toHaveLength(1);
  });

  it.each(['unknown', '%23sequence', 'a b'])('is a 404 for %j', async (name) => {
    const { status, body } = await registry.get(`/api/v1/packages/${name}/history`);

    expect({ status, code: body.code }).toEqual({ status: 404, code: 'package_not_found' });
  });

  it.each(['yesterday', '2026-13-01T00:00:00Z', '2026-01-01'])(
    'refuses before=%s',
    async (before) => {
      const { status, body } = await historyOf('timed', `?before=${before}`);

      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ path: 'before' }]);
    },
  );
});

describe('the decision before', () => {
  it('is shown with the one in force, so that no override hides it', async () => {
    const name = 'reversed';
    await submit(name);
    const { body: first } = await decide(name, 'reject', { reason: 'unmaintained' });
    const { body } = await decide(name, 'approve', { reason: 'maintained again' });

    expect(first.previous).toBeNull();
    expect(body.previous).toEqual({
      status: 'rejected',
      by: 'review-team',
      token_label: 'review-team',
      at: first.rejected_at,
      reason: 'unmaintained',
    });
    expect((await registry.get(packagePath(name))).body.previous).toEqual(body.previous);
  });
});
