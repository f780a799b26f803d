import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FunctionClock } from '../support/function-clocks.ts';
import { functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { overridingVariables } from '../support/stack-parts.ts';

const dayMs = 24 * 60 * 60_000;
const shortMs = 60_000;
const year = new Date().getUTCFullYear();

const clock = new FunctionClock();
let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({ clock });
});
afterAll(() => registry.close());

const inMs = (ms: number): string => clock.at(ms);

const submit = (name: string, version = '1.0.0') =>
  registry.submit({ ecosystem: 'npm', name, version });
const approve = (name: string, body?: object) => registry.post(packagePath(name, '/approve'), body);
const show = async (name: string, query = '') =>
  (await registry.get(packagePath(name, query))).body;
const runDueWork = () =>
  registry.stack.invoke(functionOf(registry.stack.model, 'run-due-work').id, {});

/** A version whose approval has run out, which nothing has been done about. */
const approvedBriefly = async (name: string): Promise<void> => {
  await submit(name);
  await approve(name, { expires_at: inMs(shortMs), reason: 'for now' });
  clock.pass(shortMs);
};

describe('an approval', () => {
  it('holds for ever, if nothing is said of it', async () => {
    await submit('for-ever');

    expect((await approve('for-ever')).body).toMatchObject({ expires_at: null });
  });

  it.each([
    [
      'expires_at',
      { expires_at: `${year + 1}-01-31T12:00:00Z` },
      `${year + 1}-01-31T12:00:00.000Z`,
    ],
    ['expires_in_days', { expires_in_days: 90 }, undefined],
  ])('holds until %s', async (field, body, exact) => {
    const name = `until-${field.replaceAll('_', '-')}`;
    await submit(name);

    const answer = await approve(name, body);

    const { expires_at } = answer.body;
    const inNinetyDays = Date.now() + 90 * dayMs;
    if (exact) expect(expires_at).toBe(exact);
    else expect(Math.abs(Date.parse(expires_at) - inNinetyDays)).toBeLessThan(dayMs / 24);
    expect(await show(name)).toEqual(answer.body);
  });

  it.each([
    ['both', { expires_at: inMs(dayMs), expires_in_days: 1 }, 'expires_in_days'],
    ['the past', { expires_at: inMs(-1) }, 'expires_at'],
    ['more than five years', { expires_at: inMs(1826 * dayMs) }, 'expires_at'],
    ['too many days', { expires_in_days: 1826 }, 'expires_in_days'],
    ['no days', { expires_in_days: 0 }, 'expires_in_days'],
    ['half a day', { expires_in_days: 0.5 }, 'expires_in_days'],
    ['another zone', { expires_at: `${year + 1}-01-31T12:00:00+01:00` }, 'expires_at'],
    ['a day that is none', { expires_at: `${year + 1}-02-31T12:00:00Z` }, 'expires_at'],
  ])('is not given for %s', async (what, body, path) => {
    const name = `refused-${what.replaceAll(' ', '-')}`;
    await submit(name);

    const answer = await approve(name, body);

    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path }]);
    expect((await show(name)).status).toBe('pending');
  });

  it('is given another end, which is recorded, and keeps it where nothing is said', async () => {
    await submit('extended');
    await approve('extended', { expires_in_days: 1 });
    const before = await registry.get('/api/v1/packages?status=approved');

    const same = await approve('extended');
    const longer = await approve('extended', { expires_in_days: 30, reason: 'still needed' });

    expect(same.body).toMatchObject({ status: 409, code: 'decision_in_force' });
    expect(longer.body).toMatchObject({ status: 'approved', previous: { status: 'approved' } });
    const after = await registry.get('/api/v1/packages?status=approved');
    expect(after.body).toEqual(before.body);
    const { body } = await registry.get(packagePath('extended', '/history'));
    expect(body.history).toMatchObject([
      { type: 'package.approved', from: 'approved', to: 'approved', reason: 'still needed' },
      { type: 'package.approved', from: 'pending', to: 'approved' },
      { type: 'package.submitted' },
    ]);
    const listed = await registry.get('/api/v1/expirations');
    const ends = listed.body.expirations.filter(
      ({ name }: { name: string }) => name === 'extended',
    );
    expect(ends).toEqual([
      { ecosystem: 'npm', name: 'extended', version: '1.0.0', expires_at: longer.body.expires_at },
    ]);
  });
});

describe('an approval that is kept', () => {
  it('stays in force until the same end, and says why', async () => {
    await submit('kept');
    const approved = await approve('kept', { expires_in_days: 30 });

    const kept = await approve('kept', { keep: true, reason: 'looked at again' });

    const { expires_at } = approved.body;
    expect(kept.body).toMatchObject({
      ...{ status: 'approved', reason: 'looked at again', expires_at },
      previous: { status: 'approved', at: approved.body.approved_at },
    });
    expect(await show('kept')).toEqual(kept.body);
    const { body } = await registry.get(packagePath('kept', '/history'));
    expect(body.history[0]).toMatchObject({ from: 'approved', to: 'approved', expires_at });
  });

  it('still has no end where it had none', async () => {
    await submit('kept-for-ever');
    await approve('kept-for-ever');

    const kept = await approve('kept-for-ever', { keep: true, reason: 'looked at again' });

    expect(kept.body).toMatchObject({ status: 'approved', expires_at: null });
  });

  it.each([
    ['a reason', { keep: true }, 'reason'],
    ['its own end', { keep: true, reason: 'why', expires_in_days: 30 }, 'keep'],
  ])('is refused without %s', async (what, body, path) => {
    const name = `kept-without-${what.replaceAll(' ', '-')}`;
    await submit(name);
    await approve(name);

    const answer = await approve(name, body);

    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path }]);
  });

  it.each(['pending', 'rejected'])('is refused for a version that is %s', async (status) => {
    const name = `kept-${status}`;
    await submit(name);
    if (status === 'rejected') await registry.post(packagePath(name, '/reject'), { reason: 'no' });

    const answer = await approve(name, { keep: true, reason: 'why' });

    expect(answer.body).toMatchObject({ status: 409, code: 'decision_conflict' });
    expect((await show(name)).status).toBe(status);
  });
});

describe('an approval that has run out', () => {
  it('is shown nowhere as one, though nothing was written yet', async () => {
    await submit('lapsed', '0.9.0');
    await registry.post(packagePath('lapsed', '/approve?version=0.9.0'));
    await submit('lapsed');
    await registry.post(packagePath('lapsed', '/approve?version=1.0.0'), {
      expires_at: inMs(shortMs),
      reason: 'for now',
    });
    const before = await show('lapsed', '?status=approved');
    clock.pass(shortMs);

    const { body: versions } = await registry.get(packagePath('lapsed', '/versions'));

    expect(before).toMatchObject({ version: '1.0.0' });
    expect(await show('lapsed', '?version=1.0.0')).toMatchObject({
      status: 'pending',
      approved_by: null,
      approved_at: null,
      reason: null,
      expires_at: null,
      previous: { status: 'approved', reason: 'for now', at: before.approved_at },
    });
    expect(await show('lapsed', '?status=approved')).toMatchObject({ version: '0.9.0' });
    expect(versions.packages).toMatchObject([
      { version: '1.0.0', status: 'pending' },
      { version: '0.9.0', status: 'approved' },
    ]);
  });

  it('returns to pending by the clock, once and at its old place', async () => {
    await approvedBriefly('returned');
    await submit('submitted-later');
    const shown = await show('returned');

    await Promise.all([runDueWork(), runDueWork(), runDueWork()]);

    const { body: list } = await registry.get('/api/v1/packages?status=pending&limit=1000');
    const names = list.packages.map(({ name }: { name: string }) => name);
    expect(names.indexOf('returned')).toBeGreaterThanOrEqual(0);
    expect(names.indexOf('returned')).toBeLessThan(names.indexOf('submitted-later'));
    expect(await show('returned')).toEqual(shown);
    const { body } = await registry.get(packagePath('returned', '/history'));
    expect(body.history).toMatchObject([
      {
        type: 'package.expired',
        from: 'approved',
        to: 'pending',
        by: null,
        token_label: null,
        evidence: null,
      },
      { type: 'package.approved' },
      { type: 'package.submitted' },
    ]);
  });

  it('is no approval for whoever decides on a name without its version', async () => {
    await submit('several-lapsed', '0.9.0');
    await registry.post(packagePath('several-lapsed', '/approve?version=0.9.0'));
    await approvedBriefly('several-lapsed');
    const lapsed = await registry.post(packagePath('several-lapsed', '/reject'), { reason: 'no' });
    await approvedBriefly('all-lapsed');
    await submit('all-lapsed', '0.9.0');
    const end = { expires_at: inMs(shortMs) };
    await registry.post(packagePath('all-lapsed', '/approve?version=0.9.0'), end);
    clock.pass(shortMs);
    const ambiguous = await registry.post(packagePath('all-lapsed', '/reject'), { reason: 'no' });

    expect(lapsed.body).toMatchObject({ version: '1.0.0', status: 'rejected' });
    expect(ambiguous.body).toMatchObject({
      code: 'ambiguous_version',
      candidates: [{ status: 'pending' }, { status: 'pending' }],
    });
    expect(ambiguous.body.detail).toContain('several pending versions');
  });

  it('is expired first by whoever decides before the clock', async () => {
    await approvedBriefly('overtaken');

    const conflict = await approve('overtaken', { expected_status: 'approved' });
    const { status, body } = await approve('overtaken');

    expect(conflict.body).toMatchObject({ code: 'decision_conflict' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'approved', previous: { reason: 'for now' } });
    const history = await registry.get(packagePath('overtaken', '/history'));
    expect(history.body.history.map(({ type }: { type: string }) => type)).toEqual([
      'package.approved',
      'package.expired',
      'package.approved',
      'package.submitted',
    ]);
  });
});

describe('GET /expirations', () => {
  it('lists what runs out next, in pages and up to a time', async () => {
    const names = ['next-1', 'next-2', 'next-3'];
    for (const [at, name] of names.entries()) {
      await submit(name);
      await approve(name, { expires_at: `${year + 2}-0${at + 1}-01T00:00:00Z` });
    }
    const from = `?after=${year + 1}-12-31T00:00:00Z`;
    const list = async (query: string) => (await registry.get(`/api/v1/expirations${query}`)).body;
    const namesOf = ({ expirations }: { expirations: { name: string }[] }) =>
      expirations.map(({ name }) => name);

    const first = await list(`${from}&limit=2`);
    const rest = await list(`?after=${encodeURIComponent(first.next)}&limit=2`);

    expect([namesOf(first), namesOf(rest), rest.next]).toEqual([
      names.slice(0, 2),
      ['next-3'],
      null,
    ]);
    expect(namesOf(await list(`${from}&before=${year + 2}-02-01T00:00:00Z`))).toEqual(
      names.slice(0, 2),
    );
    expect(namesOf(await list(`${from}&before=2020-01-01T00:00:00Z`))).toEqual([]);
  });

  it('has what runs out after a time, and not just then', async () => {
    const { body } = await registry.get(`/api/v1/expirations?after=${year + 2}-01-01T00:00:00Z`);

    expect(body.expirations.map(({ name }: { name: string }) => name)).not.toContain('next-1');
  });

  it('leaves out what has run out', async () => {
    await approvedBriefly('over');

    const { body } = await registry.get('/api/v1/expirations?limit=1000');

    expect(body.expirations.map(({ name }: { name: string }) => name)).not.toContain('over');
  });

  it.each([
    '?after=soon',
    '?before=2027-01-01',
    '?limit=0',
    `?after=2027-01-01T00:00:00Z%23${'x'.repeat(1000)}`,
  ])('refuses %s', async (query) => {
    expect((await registry.get(`/api/v1/expirations${query}`)).status).toBe(400);
  });
});

describe('the default of an organisation', () => {
  it('holds where an approval says nothing, and gives way where it does', async () => {
    const strict = await TestRegistry.start({
      transform: overridingVariables({ APPROVAL_DAYS: '7' }),
    });
    const endOf = async (name: string, body?: object): Promise<number> => {
      await strict.submit({ ecosystem: 'npm', name, version: '1.0.0' });
      const answer = await strict.post(packagePath(name, '/approve'), body);
      return Math.round((Date.parse(answer.body.expires_at) - Date.now()) / dayMs);
    };

    expect(await endOf('by-default')).toBe(7);
    expect(await endOf('by-itself', { expires_in_days: 2 })).toBe(2);
    await strict.close();
  });
});
