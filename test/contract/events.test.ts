import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({ events: true });
});
afterAll(() => registry.close());

const list = async (query = '') => (await registry.get(`/api/v1/events${query}`)).body;

/** Waits until there are so many events after a sequence number, and returns them. */
const awaitEvents = async (after: number, count: number) => {
  await expect.poll(async () => (await list(`?after=${after}`)).events.length).toBe(count);
  return (await list(`?after=${after}`)).events;
};

describe('GET /events', () => {
  it('returns an empty list before the first event', async () => {
    expect(await list()).toEqual({ events: [], next: 0 });
  });

  it('lists every change in order and without gaps', async () => {
    await registry.submit({ ecosystem: 'npm', name: 'published', version: '1.0.0' });
    await registry.post(packagePath('published', '/approve'), {
      approved_by: 'ana',
      expires_in_days: 9,
    });
    await registry.post(packagePath('published', '/reject'), { reason: 'no\nmore' });
    await registry.send('PUT', '/api/v1/licenses/Acme%20EULA', {
      body: { status: 'rejected', category: 'proprietary', reviewed_by: 'legal' },
    });

    const events = await awaitEvents(0, 4);

    const subject = { ecosystem: 'npm', name: 'published', version: '1.0.0', license: null };
    const listed = events.filter(({ name }: { name: string | null }) => name === 'published');
    expect(listed).toMatchObject([
      { ...subject, type: 'package.submitted', from: null, to: 'pending', by: null, reason: null },
      {
        ...subject,
        type: 'package.approved',
        from: 'pending',
        to: 'approved',
        by: 'ana',
        expires_at: expect.any(String),
      },
      {
        ...subject,
        type: 'package.rejected',
        from: 'approved',
        to: 'rejected',
        reason: 'no\nmore',
      },
    ]);
    expect(events).toContainEqual({
      sequence: expect.any(Number),
      id: expect.any(String),
      type: 'license.decided',
      at: expect.any(String),
      ecosystem: null,
      name: null,
      version: null,
      license: 'Acme EULA',
      vulnerability: null,
      acceptance: null,
      by: 'legal',
      token_label: null,
      from: null,
      to: 'rejected',
      reason: null,
      expires_at: null,
      projects: null,
      before: null,
    });
    expect(events.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3, 4]);
    const { body } = await registry.get(packagePath('published', '/history'));
    expect(listed.map(({ id }: { id: string }) => id).reverse()).toEqual(
      body.history.map(({ id }: { id: string }) => id),
    );
  });

  it('continues after any sequence number, in pages', async () => {
    const whole = await list();

    const first = await list('?limit=3');
    const rest = await list(`?after=${first.next}&limit=3`);
    const nothing = await list(`?after=${rest.next}`);
    const beyond = await list('?after=999999');

    expect([...first.events, ...rest.events]).toEqual(whole.events);
    expect(nothing).toEqual({ events: [], next: whole.next });
    expect(beyond).toEqual({ events: [], next: 999_999 });
  });

  it('returns the last events with ?last', async () => {
    const whole = await list();

    expect(await list('?last=2')).toEqual({ events: whole.events.slice(-2), next: whole.next });
    expect(await list('?last=99')).toEqual(whole);
    expect(await list('?last=0')).toEqual({ events: [], next: whole.next });
    const { status, body } = await registry.get('/api/v1/events?last=1&after=1');
    expect({ status, path: body.errors[0].path }).toEqual({ status: 400, path: 'last' });
  });

  it.each(['-1', 'x', '1.5', '99999999999999999999'])('refuses after=%s', async (after) => {
    const { status, body } = await registry.get(`/api/v1/events?after=${after}`);

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: 'after' }]);
  });
});

describe('GET /statistics', () => {
  it('counts the changes of each day', async () => {
    const { body } = await registry.get('/api/v1/statistics?days=2');

    const today = new Date().toISOString().slice(0, 10);
    expect(body.days).toHaveLength(2);
    expect(body.days[1]).toEqual({
      date: today,
      submitted: 1,
      approved: 1,
      rejected: 1,
      expired: 0,
      by_rule: 0,
      decided: 1,
      mean_hours_to_decision: 0,
      waits: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    });
    expect(body.days[0]).toMatchObject({ submitted: 0, mean_hours_to_decision: null });
  });

  it.each([
    ['', 90],
    ['?days=366', 366],
    ['?days=1', 1],
  ])('covers the requested number of days: %j', async (query, count) => {
    const { body } = await registry.get(`/api/v1/statistics${query}`);

    const dates = body.days.map(({ date }: { date: string }) => date);
    expect(new Set(dates).size).toBe(count);
    expect(dates).toEqual([...dates].sort());
  });

  it.each(['0', '367', 'week'])('refuses days=%s', async (days) => {
    expect((await registry.get(`/api/v1/statistics?days=${days}`)).status).toBe(400);
  });
});
