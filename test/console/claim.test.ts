import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations } from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

describe('the claim of a review in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true }),
      startBrowser(),
    ]);
    const one = { ecosystem: 'npm', name: 'claimed', version: '1.0.0' };
    await registry.submit(one, { token: tokens.ci });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('is shown to others within ten seconds, and ends by its owner', async () => {
    const hash = '#/queue/npm/claimed/1.0.0';
    const console = await openConsole(browser, registry, hash, { as: 'alice' });
    await console.waitFor('.claim', 'Claim for an hour');

    await registry.post(packagePath('claimed', '/claim'), {}, { token: tokens.bob });
    await console.waitFor('.claim', 'bob looks at it until');
    expect(describeViolations(await findViolations(console.page))).toEqual([]);

    await console.page.click('.claim button');
    await console.waitFor('.claim', 'You look at it until');
    await console.page.click('.claim button');
    await console.page.waitForSelector('.claim span', { hidden: true });
    expect(console.complaints).toEqual([]);
    await console.close();
  });
});
