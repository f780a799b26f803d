import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewPolicy } from '../../shared/api/schemas/policy.ts';
import { findPreset } from '../../shared/domain/policy/presets.ts';
import { until } from '../support/eventually.ts';
import { functionOf } from '../support/functions.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { changeHead } from './facts-exercises.ts';

const name = 'left-pad';
const dayMs = 24 * 60 * 60_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

describe('updates of an approved version, with the preset balanced', () => {
  let registry: TestRegistry;
  let origin: OriginServer;
  let osv: OsvServer;

  const publish = (one: string, versions: Readonly<Record<string, number>>, more: object = {}) => {
    const entries = Object.keys(versions).map((version) => {
      const dist = {
        ...{ tarball: `${origin.url}/${one}-${version}.tgz`, signatures: [] },
        integrity: `sha512-${'A'.repeat(86)}==`,
      };
      const own = { name: one, version, license: 'MIT', dist, scripts: {}, maintainers: [] };
      return [version, { ...own, _npmUser: { name: 'ann' }, ...more }] as const;
    });
    const times = Object.entries(versions).map(([version, days]) => [version, daysAgo(days)]);
    const time = { created: daysAgo(900), ...Object.fromEntries(times) };
    origin.serve(`/npm/${one}`, {
      body: { name: one, versions: Object.fromEntries(entries), time },
    });
  };

  const find = async (one: string, version: string) => {
    const { status, body } = await registry.get(packagePath(one, `?version=${version}`));
    return status === 200 ? body : undefined;
  };
  const isApproved = async (one: string, version: string) =>
    (await find(one, version))?.status === 'approved';

  /** Has the worker refresh the upstream metadata of a version that it knows for longer. */
  const refresh = async (version: string): Promise<void> => {
    const checked_at = daysAgo(1);
    await changeHead(registry, name, (head) => ({
      facts: { ...Object(head['facts']), checked_at },
    }));
    const body = JSON.stringify({ ecosystem: 'npm', name, version });
    const event = { Records: [{ messageId: 'm', body }] };
    await registry.stack.invoke(functionOf(registry.stack.model, 'collect-facts').id, event);
  };

  beforeAll(async () => {
    [osv, origin] = await Promise.all([startOsvServer(), startOriginServer()]);
    const policy = ReviewPolicy.parse(findPreset('balanced@2'));
    registry = await TestRegistry.start({
      ...{ licenses: true, events: true, indexing: true, followUpdates: 'minor' },
      ...{ osvUrl: osv.url, originUrl: origin.url, policy },
    });
    await registry.post('/api/v1/licenses/MIT', { status: 'approved' });
  });
  afterAll(async () => {
    await registry.close();
    await Promise.all([osv.close(), origin.close()]);
  });

  it('are submitted, decided by rules and served, without a command', async () => {
    publish(name, { '1.0.0': 800 });
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    await until(() => isApproved(name, '1.0.0'));
    publish(name, { '1.0.0': 800, '1.1.0': 60, '1.2.0': 2, '2.0.0': 30 });

    await refresh('1.0.0');

    await until(() => isApproved(name, '1.1.0'));
    expect(await find(name, '1.1.0')).toMatchObject({
      ...{ submitted_by: 'registry', approved_by: 'policy:of-age' },
    });
    await until(async () => {
      const { body } = await registry.get('/api/v1/reviews?batch=updates');
      return body.reviews.some((one: { waits_for: string[] }) => one.waits_for.join() === 'age');
    });
    const { body } = await registry.get('/api/v1/reviews?batch=updates');
    expect(body.reviews.map((one: { version: string }) => one.version)).toContain('1.2.0');
    expect(await find(name, '2.0.0')).toBeUndefined();
    const { body: packument } = await registry.get(`/npm/${name}`);
    expect(Object.keys(packument.versions)).toEqual(['1.1.0', '1.0.0']);
  });
});
