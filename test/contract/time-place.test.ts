import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start();
  await registry.submit({ ecosystem: 'npm', name: 'placed', version: '1.0.0' });
  await registry.post(packagePath('placed', '/approve'), { expires_in_days: 30 });
});
afterAll(() => registry.close());

const history = packagePath('placed', '/history');

const at = (path: string, place: string) => registry.get(`${path}${encodeURIComponent(place)}`);

describe('a place in a list that goes by time', () => {
  it.each([
    [`${history}?before=`, 'soon'],
    [`${history}?before=`, '2026-01-31'],
    [`${history}?before=`, '2026-02-30T00:00:00Z'],
    ['/api/v1/expirations?after=', 'soon'],
    ['/api/v1/expirations?after=', '~'],
  ])('is refused where it begins with no time: %s%s', async (path, place) => {
    const { status, body } = await at(path, place);

    expect(status).toBe(400);
    expect(body.errors[0].message).toContain('must be a time in UTC');
  });

  it('is before all of its second, where it is given in seconds', async () => {
    const { body } = await registry.get(history);
    const [newest, oldest] = body.history;
    const toSecond = (time: string, later: number): string =>
      new Date(Math.floor(Date.parse(time) / 1000 + later) * 1000)
        .toISOString()
        .replace('.000', '');

    const before = await at(`${history}?before=`, toSecond(oldest.at, 0));
    const after = await at(`${history}?before=`, toSecond(newest.at, 1));

    expect(before.body.history).toEqual([]);
    expect(after.body.history).toEqual([newest, oldest]);
  });

  it('is after all before its second, where it is given in seconds', async () => {
    const { body } = await registry.get('/api/v1/expirations');
    const second = body.expirations[0].expires_at.replace(/\.\d+/, '');

    const after = await at('/api/v1/expirations?after=', second);

    expect(after.body.expirations).toEqual(body.expirations);
  });
});
