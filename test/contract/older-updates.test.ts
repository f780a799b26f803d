import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListedVersion } from '../../shared/api/schemas/listed.ts';
import type { ReviewPage } from '../../shared/api/schemas/review.ts';
import { eventually } from '../support/eventually.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { requestSubmission } from '../support/request-submission.ts';

const token = `ci-${'c'.repeat(32)}`;
const lodash = (version: string) => ({ ecosystem: 'npm', name: 'lodash', version }) as const;

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ci:${token}`, licenses: true, indexing: true });
});
afterAll(() => registry.close());

const get = async (path: string) => {
  const { status, body } = await registry.get(path);
  expect(status).toBe(200);
  return body;
};

const list = (query = ''): Promise<ReviewPage> => get(`/api/v1/reviews?${query}`);

/** Waits until the index worker has done its work, and returns the list. */
const listed = (reviews: readonly object[], page: object): Promise<void> =>
  eventually(async () => {
    const found = await list();
    expect(found).toMatchObject(page);
    expect(found.reviews.map(({ version, older_updates }) => ({ version, older_updates }))).toEqual(
      reviews,
    );
  });

const versionsOf = ({ reviews }: ReviewPage): string[] => reviews.map(({ version }) => version);

const approve = async (version: string): Promise<void> => {
  const path = `${packagePath('lodash', '/approve')}?version=${version}`;
  const { status } = await registry.post(path, { reason: 'Read' }, { token });
  expect(status).toBe(200);
};

describe('updates that the registry submits', () => {
  const of = lodash('4.17.20');
  const fixes = ['CVE-2026-1', 'CVE-2026-2'];

  it('are one review of the newest, and after its decision one of the next', async () => {
    await requestSubmission(registry, lodash('4.17.21'), { cause: 'update', of });
    await requestSubmission(registry, lodash('4.17.100'), { cause: 'security_fix', of, fixes });
    await requestSubmission(registry, lodash('4.17.22'), { cause: 'update', of });

    await listed([{ version: '4.17.100', older_updates: ['4.17.21', '4.17.22'] }], {
      older_updates: 2,
    });
    const full = await get('/api/v1/packages?status=pending&view=full');
    expect(full).toMatchObject({ total: 3, older_updates: 2 });
    expect(
      full.packages.map(({ version, newer_update }: ListedVersion) => [version, newer_update]),
    ).toEqual([
      ['4.17.21', '4.17.100'],
      ['4.17.100', null],
      ['4.17.22', '4.17.100'],
    ]);
    expect(versionsOf(await list('batch=updates'))).toHaveLength(3);
    expect(versionsOf(await list('cause=security_fix'))).toEqual(['4.17.100']);
    expect(versionsOf(await list('cause=update'))).toEqual([]);

    await approve('4.17.100');

    await listed([{ version: '4.17.22', older_updates: ['4.17.21'] }], { older_updates: 1 });
    await approve('4.17.22');
    await listed([{ version: '4.17.21', older_updates: [] }], { older_updates: 0 });
  });

  it('say why in their evidence, also after a decision', async () => {
    const evidence = await get(`${packagePath('lodash', '/evidence')}?version=4.17.100`);

    expect(evidence.automatic).toEqual({ cause: 'security_fix', of, fixes });
    expect(evidence.justification).toContain('CVE-2026-2');
  });

  it('refuse an unknown cause, and name the known ones', async () => {
    const { status, body } = await registry.get('/api/v1/reviews?cause=whim');

    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('security_fix');
  });

  it('become security fixes when a vulnerability becomes known', async () => {
    const late = { ...lodash('2.0.0'), name: 'late' };
    await requestSubmission(registry, late, { cause: 'update', of });
    await requestSubmission(registry, late, { cause: 'security_fix', of, fixes });

    await eventually(async () => {
      const { reviews } = await list('cause=security_fix');
      expect(reviews.map(({ name }) => name)).toContain('late');
    });
    const { automatic } = await get(packagePath('late', '/evidence'));
    expect(automatic).toMatchObject({ cause: 'security_fix', fixes });
  });
});
