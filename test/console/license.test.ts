import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations, measureOverflow } from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

describe('the page of a license', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, licenses: true, indexing: true }),
      startBrowser(),
    ]);
    for (const name of ['copyleft', 'copyleft-too']) {
      const one = { ecosystem: 'npm', name, version: '1.0.0', license: 'EPL-2.0' };
      await registry.submit(one, { token: tokens.ci });
    }
    await eventually(async () => {
      const { body } = await registry.get('/api/v1/licenses/EPL-2.0/versions?status=pending');
      expect(body.packages).toHaveLength(2);
    });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('opens from the evidence, lists versions, and takes a decision', async () => {
    const console = await openConsole(browser, registry, '#/queue/npm/copyleft/1.0.0', {
      as: 'alice',
    });
    await console.waitFor('.license-links', 'EPL-2.0');
    await console.page.click('.license-links a');
    await console.waitFor('.page h2', 'License EPL-2.0');
    await console.waitFor('.page .rows', 'copyleft-too 1.0.0');

    // After the registry has named the user.
    await (await console.page.waitForSelector('.page .actions button'))?.click();
    await console.page.select('select[name=status]', 'approved');
    await console.page.type('textarea[name=note]', 'As a library');
    await console.page.click('.decision-form button[type=submit]');
    await console.waitFor('.page .quoted-text', 'As a library');

    const { body } = await registry.get('/api/v1/licenses/EPL-2.0');
    expect(body).toMatchObject({ status: 'approved', note: 'As a library' });
    await console.page.setViewport({ width: 320, height: 800 });
    expect(await measureOverflow(console.page)).toBe(0);
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('checks the compatibility with another license', async () => {
    const console = await openConsole(browser, registry, '#/license?name=GPL-3.0-only');
    await console.waitFor('.page h3', 'Compatibility');

    await console.page.type('input[name=other]', 'MIT');
    await console.page.keyboard.press('Enter');

    await console.waitFor('.page [role=status]', 'rule');
    expect(await console.page.$('.page .actions button')).toBeNull();
    await console.close();
  });
});
