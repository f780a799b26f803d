import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { databaseOf } from '../support/database.ts';
import { TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations } from '../support/watched-page.ts';
import { openConsole } from './open-console.ts';

const path = '/api/v1/freeze';
const reason = 'Malware <img src=x onerror=alert(1)> in npm';

let registry: TestRegistry;
let browser: Browser;
beforeAll(async () => {
  [registry, browser] = await Promise.all([TestRegistry.start({ events: true }), startBrowser()]);
});
afterAll(() => Promise.all([browser?.close(), registry?.close()]));

it('shows that a version waits for the end of the freeze, and for which rule', async () => {
  await registry.submit({ ecosystem: 'npm', name: 'frozen', version: '1.0.0' });
  await databaseOf(registry).send(
    new UpdateCommand({
      TableName: registry.stack.tables['REVIEWS_TABLE'],
      Key: { v: 'npm#frozen#1.0.0', k: 'head' },
      UpdateExpression: 'SET frozen_rule = :rule, evaluated_revision = evidence_revision',
      ExpressionAttributeValues: { ':rule': 'of-age' },
    }),
  );
  await registry.post(path, { before: '2026-01-01T00:00:00Z', reason });
  const console = await openConsole(browser, registry, '#/queue/npm/frozen/1.0.0');

  await console.waitFor('.decision-summary', 'Waits until the freeze is lifted (rule of-age).');
  const { body } = await registry.post('/api/v1/check', { packages: ['pkg:npm/frozen@1.0.0'] });
  expect(body.packages[0]).toMatchObject({ rule: 'of-age', waits_for: ['freeze'] });

  await registry.send('DELETE', path);
  await console.close();
});

it('shows a freeze on every page, with its time and its reason as text, until it is lifted', async () => {
  await registry.post(path, { before: '2026-01-01T00:00:00Z', reason });
  const console = await openConsole(browser, registry, '#/queue');

  for (const view of ['queue', 'overview', 'check']) {
    await console.page.evaluate(`location.hash = '#/${view}'`);
    await console.waitFor('.freeze-notice', reason);
    await console.waitFor('.freeze-notice', '2026-01-01T00:00:00Z');
  }
  expect(await console.page.$$('.freeze-notice img')).toEqual([]);
  expect(await console.page.$$('.freeze-notice time')).toHaveLength(1);
  expect(describeViolations(await findViolations(console.page))).toEqual([]);

  await registry.send('DELETE', path);
  await console.page.waitForFunction("!document.querySelector('.freeze-notice')");
  expect(console.complaints).toEqual([]);
  await console.close();
});
