import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decisionsOn } from '../support/decisions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const key = 'a-token-of-more-than-thirty-two-characters';
const alices = 'another-token-of-more-than-thirty-two-characters';
const token = `reviewer:${key},alice:${alices}`;

describe('approve and reject', () => {
  let registry: TestRegistry;
  let count = 0;

  beforeAll(async () => {
    registry = await TestRegistry.start({ tokens: token, events: true });
  });
  afterAll(() => registry.close());

  /** Submits a new package with these versions, all pending. */
  const submitted = async (...versions: string[]): Promise<string> => {
    count += 1;
    const name = `subject-${count}`;
    for (const version of versions) {
      await registry.submit({ ecosystem: 'npm', name, version }, { token: key });
    }
    return name;
  };
  const decide = (name: string, what: string, body?: unknown) =>
    registry.post(packagePath(name, `/${what}`), body, { token: key });

  it('shows the token label beside the reviewer in every answer with a decision', async () => {
    const name = await submitted('1.0.0', '2.0.0');
    const one = { ecosystem: 'npm', version: '1.0.0' };
    const approval = { approved_by: 'ana@example.com' };
    const path = packagePath(name, '/approve?ecosystem=npm&version=1.0.0');
    const { body: approved } = await registry.post(path, approval, { token: alices });
    const rejection = { rejected_by: 'ben@example.com', reason: 'no' };
    const { body: rejected } = await registry.post(
      packagePath(name, '/reject?ecosystem=npm&version=1.0.0'),
      rejection,
      { token: key },
    );
    const read = async (what: string) => (await registry.get(packagePath(name, what))).body;

    const submission = { submitted_by: 'reviewer', submitted_token_label: 'reviewer' };
    const first = { by: 'ana@example.com', token_label: 'alice' };
    const second = { by: 'ben@example.com', token_label: 'reviewer' };
    const now = { rejected_by: second.by, rejected_token_label: 'reviewer', previous: first };
    expect(approved).toMatchObject({
      ...{ ...submission, approved_by: first.by, approved_token_label: 'alice' },
      ...{ rejected_by: null, rejected_token_label: null },
    });
    expect(rejected).toMatchObject({ ...now, approved_by: null, approved_token_label: null });
    expect(await read(`?version=${one.version}`)).toMatchObject({ ...submission, ...now });
    expect((await read('/evidence?version=2.0.0')).earlier).toMatchObject([second, first]);
    expect((await read('/history?version=1.0.0')).history).toMatchObject([second, first, {}]);
    const { packages } = (await registry.get(`/api/v1/packages?view=full&search=${name}`)).body;
    expect(packages).toMatchObject([submission, submission]);
    await expect
      .poll(async () => {
        const { events } = (await registry.get('/api/v1/events?last=20')).body;
        return events.filter((event: { name: string }) => event.name === name).slice(-2);
      })
      .toMatchObject([first, second]);
  });

  it.each(['alice', ' Alice', '\u0430lice', '\uff41lice', 'a1ice'])(
    'refuses the reviewer name %j, which looks like the label of another token',
    async (approved_by) => {
      const name = await submitted('1.0.0');
      const decision = { ecosystem: 'npm', name, version: '1.0.0', action: 'approve', approved_by };

      const one = await decide(name, 'approve', { approved_by });
      const many = await registry.post(
        '/api/v1/decisions',
        { decisions: [decision] },
        { token: key },
      );
      const stranger = await registry.post(packagePath(name, '/approve'), { approved_by });
      const own = await registry.post(packagePath(name, '/approve'), {}, { token: alices });

      const refusal = { code: 'validation_failed', errors: [{ path: 'approved_by' }] };
      expect([one.status, one.body]).toMatchObject([400, refusal]);
      expect(many.body.results).toMatchObject([{ status: 400, problem: refusal }]);
      // Only callers with a token learn which names look like a label.
      expect([stranger.status, stranger.body.code]).toEqual([401, 'missing_token']);
      expect(own.body).toMatchObject({ status: 'approved', approved_by: 'alice' });
    },
  );

  it('refuses such names also for rejections, submissions and license decisions', async () => {
    const name = await submitted('1.0.0');
    const look = '\u0430lice';
    const submission = {
      ecosystem: 'npm',
      name: `${name}-2`,
      version: '1.0.0',
      submitted_by: look,
    };
    const post = (path: string, body: object) => registry.post(path, body, { token: key });

    const refused = [
      await post(packagePath(name, '/reject'), { rejected_by: look, reason: 'no' }),
      await post('/api/v1/packages', submission),
      await registry.send('PUT', '/api/v1/licenses/MIT', {
        body: { status: 'approved', reviewed_by: look },
        token: key,
      }),
    ];
    const many = await post('/api/v1/submissions', { packages: [submission] });
    const forAlice = await post('/api/v1/packages', { ...submission, submitted_by: 'alice' });

    expect(refused.map(({ status, body }) => [status, body.errors[0].path])).toEqual([
      [400, 'rejected_by'],
      [400, 'submitted_by'],
      [400, 'reviewed_by'],
    ]);
    expect(many.body.results).toMatchObject([{ status: 400 }]);
    expect(forAlice.body).toMatchObject({
      submitted_by: 'alice',
      submitted_token_label: 'reviewer',
    });
  });

  it.each(['policy:x', 'Policy:x', '\u0440olicy:x', 'policy \ua789x'])(
    'refuses the reviewer name %j, which belongs to policy rules',
    async (approved_by) => {
      const { status, body } = await decide(await submitted('1.0.0'), 'approve', { approved_by });

      expect([status, body.errors[0].path]).toEqual([400, 'approved_by']);
    },
  );

  it('approves the only pending version without a body', async () => {
    const name = await submitted('1.0.0');

    const { status, body } = await decide(name, 'approve');

    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'approved',
      approved_by: 'reviewer',
      approved_at: expect.any(String),
      rejected_by: null,
      rejected_at: null,
      reason: null,
    });
    expect((await registry.get(packagePath(name))).body).toEqual(body);
  });

  it('rejects with the reviewer and the reason of the body', async () => {
    const name = await submitted('1.0.0');

    const { body } = await decide(name, 'reject', {
      rejected_by: 'security@example.com',
      reason: 'Unmaintained\nsince 2015',
    });

    expect(body).toMatchObject({
      status: 'rejected',
      rejected_by: 'security@example.com',
      rejected_at: expect.any(String),
      approved_by: null,
      reason: 'Unmaintained\nsince 2015',
    });
  });

  it.each([
    ['approve', { approved_by: 'policy:types' }],
    ['reject', { rejected_by: 'Policy:types' }],
  ])('refuses to %s under the name of a rule', async (what, body) => {
    const name = await submitted('1.0.0');

    const refused = await decide(name, what, body);

    expect(refused.status).toBe(400);
    expect(refused.body.errors).toMatchObject([{ path: Object.keys(body)[0] }]);
  });

  it.each([
    ['approve', 'reject', 'rejected'],
    ['reject', 'approve', 'approved'],
  ])(
    'reverses %s with %s and a reason, and clears the fields of the earlier decision',
    async (first, second, status) => {
      const name = await submitted('1.0.0');
      await decide(name, first, { reason: 'first' });

      const refused = await decide(name, second);
      const { body } = await decide(name, second, { reason: 'second thoughts' });

      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ code: 'reason_required', errors: [{ path: 'reason' }] });
      expect(body).toMatchObject({ status, reason: 'second thoughts' });
      const [cleared, set] =
        status === 'approved' ? ['rejected', 'approved'] : ['approved', 'rejected'];
      expect(body).toMatchObject({ [`${cleared}_by`]: null, [`${cleared}_at`]: null });
      expect(body[`${set}_at`]).toEqual(expect.any(String));
    },
  );

  it.each(['approve', 'reject'])(
    'refuses %s with 409 when the decision is already in force',
    async (what) => {
      const name = await submitted('1.0.0');
      const { body: first } = await decide(name, what);

      const { status, body } = await decide(name, what, { reason: 'again' });

      expect(status).toBe(409);
      expect(body.code).toBe('decision_in_force');
      expect((await registry.get(packagePath(name))).body).toEqual(first);
    },
  );

  it('refuses a decision with another expected status, and changes nothing', async () => {
    const name = await submitted('1.0.0');
    const pending = { reason: 'Too late.', expected_status: 'pending' };
    await decide(name, 'approve', { expected_status: 'pending' });

    const late = await decide(name, 'reject', pending);
    const { body } = await decide(name, 'reject', { reason: 'Now.', expected_status: 'approved' });

    expect(late.status).toBe(409);
    expect(late.body).toMatchObject({
      code: 'decision_conflict',
      detail: `npm:${name}@1.0.0 is approved, not pending. Nothing was changed.`,
    });
    expect(body).toMatchObject({ status: 'rejected', reason: 'Now.' });
  });

  it('selects the only pending version among decided ones', async () => {
    const name = await submitted('1.0.0', '2.0.0');
    await decide(name, 'approve?version=1.0.0');

    const { body } = await decide(name, 'reject');

    expect(body).toMatchObject({ version: '2.0.0', status: 'rejected' });
  });

  it('lists the candidates when several are pending', async () => {
    const name = await submitted('1.0.0', '2.0.0');

    const { status, body } = await decide(name, 'approve');

    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'ambiguous_version', errors: [{ path: 'version' }] });
    expect(body.candidates).toEqual(
      ['2.0.0', '1.0.0'].map((version) => ({
        name,
        version,
        ecosystem: 'npm',
        status: 'pending',
        license: null,
      })),
    );
  });

  it('lists the candidates when several are decided and none is pending', async () => {
    const name = await submitted('1.0.0', '2.0.0');
    await decide(name, 'approve?version=1.0.0');
    await decide(name, 'approve');

    const { status, body } = await decide(name, 'reject', { reason: 'x' });

    expect(status).toBe(400);
    expect(body.candidates).toHaveLength(2);
  });

  it.each(['?ecosystem=pypi', '?version=9.9.9'])(
    'returns 404 when no version matches %s',
    async (query) => {
      const name = await submitted('1.0.0');

      expect((await decide(name, `approve${query}`)).status).toBe(404);
    },
  );

  it.each<[string, unknown, string]>([
    ['approve', { rejected_by: 'x' }, 'rejected_by'],
    ['reject', { approved_by: 'x' }, 'approved_by'],
    ['approve', { reason: 'x'.repeat(2001) }, 'reason'],
    ['approve', { reason: '  ' }, 'reason'],
    ['approve', { approved_by: 'x'.repeat(255) }, 'approved_by'],
    ['approve', { approved_by: 'a\u0007' }, 'approved_by'],
    ['approve', [], 'body'],
    ['approve', null, 'body'],
    ['approve?status=pending', undefined, 'status'],
  ])('refuses %s with %j', async (what, sent, path) => {
    const name = await submitted('1.0.0');

    const { status, body } = await decide(name, what, sent);

    expect(status).toBe(400);
    expect(body.errors[0].path).toBe(path);
    expect((await registry.get(packagePath(name))).body.status).toBe('pending');
  });

  it('accepts exactly one of many contradicting decisions', async () => {
    const name = await submitted('1.0.0');

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => decide(name, at % 2 === 0 ? 'approve' : 'reject')),
    );

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 400)).toHaveLength(11);
  });

  it('records every decision', async () => {
    const name = await submitted('1.0.0');
    await decide(name, 'approve');
    await decide(name, 'reject', { rejected_by: 'security@example.com', reason: 'CVE' });

    const decisions = await decisionsOn(registry, `npm#${name}#1.0.0`);

    expect(decisions).toMatchObject([
      { from: 'pending', to: 'approved', by: 'reviewer', reason: null, token_label: 'reviewer' },
      {
        from: 'approved',
        to: 'rejected',
        by: 'security@example.com',
        reason: 'CVE',
        token_fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ]);
  });
});
