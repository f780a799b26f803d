import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-more-than-thirty-two-characters-for-all';

describe('projects that a decision affects', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ tokens: `ana:${token}`, events: true, indexing: true });
  });
  afterAll(() => registry.close());

  const listTypes = async (name: string): Promise<string[]> => {
    const { body } = await registry.get(packagePath(name, '/history'));
    return body.history.map(({ type }: { type: string }) => type);
  };

  it('are counted in an event without their names, after the rejection of an approved version', async () => {
    for (const name of ['used', 'unused']) {
      await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token });
      await registry.post(packagePath(name, '/approve'), {}, { token });
    }
    for (const project of ['shop', 'till']) {
      const versions = [{ ecosystem: 'npm', name: 'used', version: '1.0.0', direct: true }];
      const body = { ref: 'main', owner: 'ana@example.com', versions };
      const path = `/api/v1/projects/${project}/snapshots`;
      expect((await registry.post(path, body, { token })).status).toBe(200);
    }

    for (const name of ['unused', 'used']) {
      await registry.post(packagePath(name, '/reject'), { reason: 'no' }, { token });
    }

    await expect.poll(async () => (await listTypes('used'))[0]).toBe('project.affected');
    await expect
      .poll(async () => {
        const { body } = await registry.get('/api/v1/events?limit=100');
        return body.events.filter(({ type }: { type: string }) => type === 'project.affected');
      })
      .toMatchObject([
        {
          ...{ name: 'used', from: 'approved', to: 'rejected', projects: '2' },
          reason: '2 projects use this version.',
        },
      ]);
    expect(await listTypes('unused')).not.toContain('project.affected');
    const { body } = await registry.get('/api/v1/events?limit=100');
    expect(JSON.stringify(body)).not.toMatch(/shop|till/);
  });
});
