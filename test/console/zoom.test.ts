import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { TestRegistry } from '../support/registry.ts';
import { measureOverflow } from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

/** A window of 1280 by 800 pixels at 200 %. */
const zoomed = { width: 640, height: 400, deviceScaleFactor: 2 };

/** Returns the focused element if another element covers its middle, or if it is outside the window. */
const findCovered = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const found = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = found && (focused.contains(found) || found.contains(focused));
  return isSeen ? null : focused.outerHTML.slice(0, 200);
})()`;

describe('the console at 200 %', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true }),
      startBrowser(),
    ]);
    for (const name of ['left-pad', 'lodash', 'axios']) {
      const submission = { ecosystem: 'npm', name, version: '1.3.0', license: 'MIT' };
      await registry.submit(submission, { token: tokens.ci });
    }
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it.each([
    ['#/queue', 'tr[data-key]', []],
    ['#/queue', '.bulk-bar', ['X']],
    ['#/queue', '.decision-form', ['A']],
    ['#/packages/npm/left-pad/1.3.0', '.decision-bar', []],
    ['#/packages/npm/left-pad/1.3.0', '.decision-form', ['r']],
    ['#/overview', '.charts', []],
  ] as const)('scrolls %s to no side, and covers no focus: %s', async (hash, sign, keys) => {
    const console = await openConsole(browser, registry, hash, { as: 'alice' });
    await console.page.setViewport(zoomed);
    await console.page.waitForSelector('a.signed-in-user');
    if (hash.includes('left-pad')) await console.waitFor('.history', 'submitted');
    await console.press(...keys);
    await console.page.waitForSelector(sign);

    expect(await measureOverflow(console.page)).toBe(0);
    for (let step = 0; step < 40; step += 1) {
      await console.press('Tab');
      expect(await console.page.evaluate(findCovered), `after ${step + 1} tabs`).toBe(null);
    }
    await console.close();
  });
});
