import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFormat } from '../../shared/api/data-format.ts';
import type { FormatItem } from '../../shared/storage/dynamodb/format-item.ts';
import { putFormats } from '../support/formats.ts';
import { functionOf } from '../support/functions.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start();
});
afterAll(() => registry.close());

const setFormat = (item: FormatItem): Promise<void> => {
  const { endpoints, credentials, tables } = registry.stack;
  return putFormats({ endpoint: endpoints.aws, credentials }, tables, item);
};

// A function instance checks the format until it fits, so that the order of these tests matters.
describe('functions with data of another format', () => {
  it('refuse requests while the data is upgraded, and answer them after that', async () => {
    await setFormat({ format: 1, upgrading_to: dataFormat });
    const submission = { ecosystem: 'npm', name: 'lodash', version: '4.17.21' };
    const during = await registry.post('/api/v1/packages', submission);
    await setFormat({ format: dataFormat });
    const after = await registry.post('/api/v1/packages', submission);

    expect(during).toMatchObject({
      status: 500,
      body: { code: 'storage_unavailable', detail: expect.stringContaining('has not ended') },
    });
    expect(during.headers.get('Retry-After')).toBe('5');
    expect(after.status).toBe(201);
  });

  it('refuse data of a newer release, and say which one fits', async () => {
    await setFormat({ format: dataFormat + 1 });
    const { status, body } = await registry.get('/api/v1/packages');
    const gate = await fetch(`${registry.url}/npm/lodash`);
    await setFormat({ format: dataFormat });

    expect(status).toBe(500);
    expect(body.detail).toMatch(
      `has data of format ${dataFormat + 1}, and this release knows format ${dataFormat} only`,
    );
    expect(gate.status).toBe(500);
  });

  it('wait in workers until the upgrade has ended', async () => {
    await setFormat({ format: 1, upgrading_to: dataFormat });
    const { id } = functionOf(registry.stack.model, 'run-due-work');
    let isDone = false;
    const run = registry.stack.invoke(id, {}).then(() => {
      isDone = true;
    });
    const { status } = await registry.get('/api/v1/expirations');
    const wasDone = isDone;
    await setFormat({ format: dataFormat });
    await run;

    expect({ status, wasDone }).toEqual({ status: 500, wasDone: false });
  });
});
