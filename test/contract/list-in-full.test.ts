import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScanResult } from '../../shared/api/schemas/scan.ts';
import { toReviewStateKey } from '../../shared/storage/reviews/review-state.ts';
import { databaseOf } from '../support/database.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const leftPad = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0', license: 'WTFPL' };
const jszip = { ecosystem: 'npm', name: 'jszip', version: '3.10.1', license: 'MIT' };
const plain = { ecosystem: 'pypi', name: 'attrs', version: '24.3.0' };

const report = {
  tool: 'audit',
  vulnerabilities: [{ id: 'CVE-2022-1', severity: 'high', summary: 'Too much of it' }],
};

type ToolResult = ScanResult['tools'][number];

describe('GET /packages?view=full', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start({ licenses: true });
    await registry.submit({ ...leftPad, submitted_by: 'web@example.com' });
    await registry.submit(jszip);
    await registry.submit(plain);
    await registry.post('/api/v1/security/scans/jszip', report);
    await registry.post(packagePath('attrs', '/approve'), { expires_in_days: 30 });
  });
  afterAll(() => registry.close());

  const listFull = async (query = '') =>
    (await registry.get(`/api/v1/packages?view=full${query}`)).body;

  it('shows when and by whom each was submitted, its license and its issues', async () => {
    const { packages } = await listFull();

    expect(packages[0]).toEqual({
      ...leftPad,
      status: 'pending',
      submitted_at: expect.stringMatching(/^\d{4}-.*Z$/),
      submitted_by: 'web@example.com',
      submitted_token_label: null,
      license_status: 'approved',
      effective_license: 'WTFPL',
      scan: null,
      issues: [{ code: 'scan_missing', message: 'The version has no scan.', blocks: false }],
      evidence_version: expect.stringMatching(/^[\w-]{22}$/),
      expires_at: null,
      automatic: null,
      newer_update: null,
      older_updates: [],
    });
  });

  it('shows what scans found, as the evidence does', async () => {
    const { packages } = await listFull();
    const evidence = (await registry.get(packagePath('jszip', '/evidence'))).body;

    expect(packages[1].scan).toEqual({
      status: 'failed',
      severity: { critical: 0, high: 1, medium: 0, low: 0, unrated: 0 },
      at: evidence.scan.scan_date,
      tools: evidence.scan.tools.map(({ tool, label, number, scan_date }: ToolResult) => ({
        ...{ tool, label, number, scan_date },
      })),
    });
    expect(packages[1].scan.tools).toHaveLength(1);
    expect(packages[1].issues).toEqual(evidence.issues);
    expect(packages[1].evidence_version).toBe(evidence.evidence_version);
    expect(packages[1].evidence_version).not.toBe(packages[0].evidence_version);
    expect(packages[1].submitted_at).toBe(evidence.package.submitted_at);
  });

  it('shows when an approval runs out', async () => {
    const { body } = await registry.get(packagePath('attrs'));
    const { packages } = await listFull('&status=approved');

    expect(packages).toMatchObject([{ name: 'attrs', expires_at: body.expires_at }]);
    expect(packages[0].submitted_at).toBe(body.submitted_at);
  });

  it('keeps to its filters, and to 100 a page', async () => {
    const pending = await listFull('&search=js&status=pending&limit=1000');

    expect(pending.packages.map(({ name }: { name: string }) => name)).toEqual(['jszip']);
    expect(pending.limit).toBe(100);
  });

  it('leaves a list without it as it is', async () => {
    const { body } = await registry.get('/api/v1/packages?limit=1');

    expect(body.packages).toEqual([{ ...leftPad, status: 'pending' }]);
  });

  it('lists a version all the same of which what reviews know is lost', async () => {
    const id = { ecosystem: 'npm', name: 'lost', version: '1.0.0' } as const;
    await registry.submit(id);
    const TableName = registry.stack.tables['REVIEWS_TABLE'];
    await databaseOf(registry).send(new DeleteCommand({ TableName, Key: toReviewStateKey(id) }));

    const { packages } = await listFull('&search=lost');

    expect(packages).toMatchObject([
      { ...id, submitted_at: null, scan: null, issues: [], evidence_version: null },
    ]);
  });
});
