import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../support/database.ts';
import { TestRegistry } from '../support/registry.ts';

const scan = (version: string, scan_date: string) => ({
  package: 'subject',
  version,
  scan_date,
  status: 'passed',
  reason: null,
  vulnerabilities: [],
  severity: { critical: 0, high: 0, medium: 0, low: 0 },
  tools_used: ['osv-scanner'],
});

const scanPath = (name: string, query = '') =>
  `/api/v1/security/scans/${encodeURIComponent(name)}${query}`;

describe('GET /security/scans/{name}', () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await TestRegistry.start();
    await registry.submit({ ecosystem: 'pypi', name: 'Subject', version: '1.0' });
    await registry.submit({ ecosystem: 'pypi', name: 'Subject', version: '2.0' });
    await registry.submit({ ecosystem: 'npm', name: 'unscanned', version: '1.0.0' });
    for (const result of [
      scan('1.0', '2026-01-02T00:00:00.000Z'),
      scan('1.0', '2026-01-03T00:00:00.000Z'),
      scan('2.0', '2026-01-01T00:00:00.000Z'),
    ]) {
      await databaseOf(registry).send(
        new PutCommand({
          TableName: registry.stack.tables['SCANS_TABLE'],
          Item: {
            package_key: `pypi#subject#${result.version[0]}`,
            scan_key: result.scan_date,
            result,
          },
        }),
      );
    }
  });
  afterAll(() => registry.close());

  it.each([
    ['', '2.0', '2026-01-01T00:00:00.000Z'],
    ['?version=1', '1.0', '2026-01-03T00:00:00.000Z'],
    ['?version=1.0.0&ecosystem=pypi', '1.0', '2026-01-03T00:00:00.000Z'],
  ])('answers the latest scan of the version selected by %j', async (query, version, date) => {
    const { status, body } = await registry.get(scanPath('subject', query));

    expect(status).toBe(200);
    expect(body).toEqual(scan(version, date));
  });

  it('answers 404 for a package that was never scanned, and not zeros', async () => {
    const { status, body } = await registry.get(scanPath('unscanned'));

    expect(status).toBe(404);
    expect(body.code).toBe('scan_not_found');
  });

  it.each([scanPath('unknown'), scanPath('subject', '?status=rejected'), scanPath('a b')])(
    'answers 404 for a package that is not there: %s',
    async (path) => {
      const { status, body } = await registry.get(path);

      expect(status).toBe(404);
      expect(body.code).toBe('package_not_found');
    },
  );

  it('refuses an unknown parameter', async () => {
    expect((await registry.get(scanPath('subject', '?limit=1'))).status).toBe(400);
  });
});
