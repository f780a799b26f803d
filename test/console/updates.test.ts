import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { TestRegistry } from '../support/registry.ts';
import { requestSubmission } from '../support/request-submission.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const lodash = (version: string) => ({ ecosystem: 'npm', name: 'lodash', version }) as const;
const of = lodash('4.17.20');
const fixes = ['CVE-2026-1', 'CVE-2026-2'];

const readVersions = (page: Page): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('tr[data-key] .version')].map((one) => one.textContent)`,
  );

describe('updates by the registry in the queue', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true, indexing: true }),
      startBrowser(),
    ]);
    await requestSubmission(registry, lodash('4.17.21'), { cause: 'update', of });
    await registry.submit({ ...lodash('1.0.0'), name: 'jszip' }, { token: tokens.ci });
    await requestSubmission(registry, lodash('4.17.22'), { cause: 'update', of });
    await requestSubmission(registry, lodash('4.17.23'), { cause: 'security_fix', of, fixes });
    await eventually(async () => {
      const { body } = await registry.get('/api/v1/reviews');
      expect(body.older_updates).toBe(2);
    });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('are one row and one of the count, until a reviewer shows the older ones', async () => {
    const console = await openConsole(browser, registry, '#/queue', { as: 'alice' });
    await console.waitFor('tr[data-key] .update', 'and 2 older updates');
    await console.waitFor('nav a[aria-current]', '2');

    expect(await readVersions(console.page)).toEqual(['1.0.0', '4.17.23']);
    expect(await console.read('tr[data-key] .update .fix')).toBe('Security fix of 4.17.20');
    await console.page.click('tr[data-key] .update button');

    await console.waitFor('tr[data-key] .update button', 'hide 2 older updates');
    expect(await readVersions(console.page)).toEqual(['1.0.0', '4.17.23', '4.17.21', '4.17.22']);
    expect(await console.read('tr.older .cause')).toBe('Update of 4.17.20');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('show in their evidence what they fix', async () => {
    const hash = '#/queue/npm/lodash/4.17.23';
    const console = await openConsole(browser, registry, hash, { as: 'alice' });
    await console.waitFor('.submission-cause', 'Security fix of 4.17.20');

    expect(await console.read('.submission-cause')).toContain(fixes.join(', '));
    await console.close();
  });

  it('give way to the next older one after a decision', async () => {
    const hash = '#/queue/npm/lodash/4.17.23';
    const console = await openConsole(browser, registry, hash, { as: 'alice' });
    await console.waitFor('.submission-cause', 'Security fix of 4.17.20');
    await console.waitForEvidence('lodash');
    await console.press('a');

    await console.waitFor('tr[data-key] .version', '4.17.21');
    await eventually(async () => {
      const { body } = await registry.get('/api/v1/reviews');
      expect(body.older_updates).toBe(1);
    });
    await console.page.reload();
    await console.waitFor('tr[data-key] .update', 'and 1 older update');
    expect(await readVersions(console.page)).toEqual(['1.0.0', '4.17.22']);
    await console.close();
  });
});
