import { gzipSync } from 'node:zlib';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../console/bundle.ts';
import { startBrowser } from '../support/browser.ts';
import { TestRegistry } from '../support/registry.ts';
import { openPage } from '../support/watched-page.ts';
import { openConsole } from './open-console.ts';

/** 400 kbit/s and 400 ms: a telephone in a train. */
const slowLine = { download: 50_000, upload: 50_000, latency: 400 };

const paintMs = 3000;

/** A request for a part of the page, in milliseconds since it was opened. */
interface Loaded {
  readonly start: number;
  readonly end: number;
  readonly bytes: number;
}

/** How many requests came after one another at most, each begun when the one before had ended. */
const countRounds = (loaded: readonly Loaded[]): number => {
  let [rounds, end] = [0, -1];
  for (const one of loaded.toSorted((a, b) => a.end - b.end)) {
    if (one.start < end) continue;
    rounds += 1;
    end = one.end;
  }
  return rounds;
};

/** What the line alone takes for these, one connection and one request after the other. */
const measureLine = (loaded: readonly Loaded[]): number => {
  const bytes = loaded.reduce((sum, one) => sum + one.bytes, 0);
  return (1 + countRounds(loaded)) * slowLine.latency + (bytes / slowLine.download) * 1000;
};

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

  it.each([
    ['#/queue', 'tr[data-key]'],
    ['#/packages/npm/left-pad/1.3.0', '.history li'],
    ['#/overview', '.charts'],
  ])('paints %s within 3 seconds, and does not move what it painted', async (hash, sign) => {
    const context = await browser.createBrowserContext();
    const page = await openPage(context);
    await page.emulateNetworkConditions(slowLine);
    await page.evaluateOnNewDocument(
      "globalThis.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value; }).observe({ type: 'layout-shift', buffered: true })",
    );

    await page.goto(`${registry.url}/console${hash}`);
    await page.waitForSelector(sign);
    await page.waitForNetworkIdle();

    // What the page waited for until it painted: how long the machine took for it is no matter of the line.
    const loaded = (await page.evaluate(
      "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].filter(({ responseEnd }) => responseEnd <= performance.getEntriesByName('first-contentful-paint')[0].startTime).map(({ requestStart, responseEnd, encodedBodySize }) => ({ start: requestStart, end: responseEnd, bytes: encodedBodySize }))",
    )) as Loaded[];
    const shift = await page.evaluate('shift');
    expect(loaded.length).toBeGreaterThan(1);
    expect(measureLine(loaded)).toBeLessThan(paintMs);
    // As browsers judge it, 0.1 is good.
    expect(shift).toBeLessThan(0.05);
    await context.close();
  });

  it('sends a decision once, after the time to undo it', async () => {
    await registry.submit({ ecosystem: 'npm', name: 'slow', version: '1.0.0' });
    const console = await openConsole(browser, registry, '#/queue?search=slow', { undo: true });
    const keys: (string | undefined)[] = [];
    console.page.on('request', (request) => {
      if (request.url().endsWith('/decisions')) keys.push(request.headers()['idempotency-key']);
    });
    await console.page.emulateNetworkConditions(slowLine);
    await console.press('j');
    await console.waitForEvidence('slow');
    await console.press('a');
    await console.waitFor('.notice', 'npm:slow@1.0.0 will be approved');
    await console.press('u');
    await console.waitFor('.announcement', 'Undone');
    await console.press('a');

    await console.page.click('.notice button.plain');

    await console.waitFor('.announcement', 'npm:slow@1.0.0 approved');
    expect(keys).toHaveLength(1);
    expect(console.complaints).toEqual([]);
    await console.close();
  });
});
