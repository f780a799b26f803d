import { gzipSync } from 'node:zlib';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../console/bundle.ts';
import { startBrowser } from '../support/browser.ts';
import { TestRegistry } from '../support/registry.ts';
import { openPage } from '../support/watched-page.ts';

/** 400 kbit/s and 400 ms: a telephone in a train. */
const slowLine = { download: 50_000, upload: 50_000, latency: 400 };

const paintMs = 3000;

/** The program of the console, with the queue and the package. */
const maxBytes = 80 * 1024;

describe('the console on a slow line', { timeout: 120_000 }, () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([TestRegistry.start(), startBrowser()]);
    await registry.submit({ ecosystem: 'npm', name: 'left-pad', version: '1.3.0' });
    // What starts a function is no matter of the line.
    for (const path of ['/console', '/api/v1/packages?view=full', '/api/v1/attention']) {
      await registry.send('GET', path).catch(() => undefined);
    }
  }, 120_000);
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('needs less than 80 KB, all views together', () => {
    const bytes = bundle.files.map(({ text }) => gzipSync(text).length);

    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(maxBytes);
  });

  it('paints within 3 seconds, and does not move what it painted', async () => {
    const context = await browser.createBrowserContext();
    const page = await openPage(context);
    await page.emulateNetworkConditions(slowLine);
    await page.evaluateOnNewDocument(
      "globalThis.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value; }).observe({ type: 'layout-shift', buffered: true })",
    );

    await page.goto(`${registry.url}/console`);
    await page.waitForSelector('tr[data-key]');
    await page.waitForSelector('.standing');

    const painted = await page.evaluate(
      "performance.getEntriesByName('first-contentful-paint')[0].startTime",
    );
    const shift = await page.evaluate('shift');
    const listed = await page.evaluate('performance.now()');
    console.log(`first paint ${painted} ms, all there ${listed} ms, layout shift ${shift}`);
    expect(painted).toBeLessThan(paintMs);
    // As browsers judge it, 0.1 is good.
    expect(shift).toBeLessThan(0.05);
    await context.close();
  });
});
