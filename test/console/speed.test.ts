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

/** The program of the console, with the queue, the package and the overview; and as much again once files are checked. */
const maxBytes = 80 * 1024;

describe('the console on a slow line', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([TestRegistry.start(), startBrowser()]);
    await registry.submit({ ecosystem: 'npm', name: 'left-pad', version: '1.3.0' });
    // What starts a function is no matter of the line.
    for (const path of ['/console', '/api/v1/packages?view=full', '/api/v1/attention']) {
      await registry.send('GET', path).catch(() => undefined);
    }
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('needs less than 80 KB, and less than 80 KB more to check files', () => {
    const measure = (isCheck: boolean): number =>
      bundle.files
        .filter(({ name }) => name.startsWith('check-') === isCheck)
        .reduce((sum, { text }) => sum + gzipSync(text).length, 0);

    expect(measure(false)).toBeLessThan(maxBytes);
    expect(measure(true)).toBeGreaterThan(1024);
    expect(measure(true)).toBeLessThan(maxBytes);
    expect(bundle.scripts.filter((name) => name.startsWith('check-'))).toEqual([]);
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
