import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemoData } from '../../infra/local/demo-data.ts';
import { openConsole } from '../console/open-console.ts';
import { startBrowser } from '../support/browser.ts';
import { TestRegistry } from '../support/registry.ts';
import { themes } from '../support/watched-page.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'images');
/** `npm run images` writes the images; without it, the test only checks that they are up to date. */
const isWriting = process.env['IMAGES'] === 'write';
const mostBytes = 150_000;

const pathOf = (theme: string): string => join(folder, `console-${theme}.png`);

/** The visible text, without ages and times, which change with the day. */
const readText = (text: string): string =>
  text
    .replaceAll(/\b\d+ ?(?:min|mo|h|d|y|minutes?|hours?|days?|months?|years?)\b/g, '…')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]{2} \d{4}(?:, [\d:]+ UTC)?/g, '…')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n');

describe('the images of the console in the README', () => {
  let registry: TestRegistry;
  let browser: Browser;
  beforeAll(async () => {
    registry = await TestRegistry.start({
      licenses: true,
      seed: async (stack) => void (await loadDemoData(stack)),
    });
    browser = await startBrowser();
    mkdirSync(folder, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await registry.close();
  });

  it.each(themes)('show what the console shows with the demo data: %s', async (theme) => {
    const hash = '#/queue/npm/request/2.88.2';
    const opened = await openConsole(browser, registry, hash, { theme });
    await opened.page.setViewport({ width: 1200, height: 640 });
    await opened.waitForEvidence();
    await opened.page.waitForFunction(
      "[...document.querySelectorAll('nav .count')].every((one) => one.textContent !== '')",
    );
    await opened.page.waitForNetworkIdle();
    const text = await opened.page.evaluate('document.body.innerText');

    if (isWriting) writeFileSync(pathOf(theme), await opened.page.screenshot());
    await opened.close();

    await expect(readText(String(text))).toMatchFileSnapshot(join(folder, 'console.txt'));
    expect(statSync(pathOf(theme)).size).toBeLessThan(mostBytes);
  });
});
