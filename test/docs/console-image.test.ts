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

/** The images: the address of each, its size, and the elements whose text shows if it is up to date. */
const images = {
  evidence: { hash: '#/queue/npm/request/2.88.2', height: 640, shown: 'body' },
  queue: { hash: '#/packages?ecosystem=npm&group=package', height: 560, shown: 'body' },
  // Charts have the days of the last three months.
  overview: { hash: '#/overview', height: 900, shown: 'h2, h3, .overview-lists li' },
} as const;

const shots = Object.entries(images).flatMap(([name, image]) =>
  themes.map((theme) => ({ name, theme, ...image })),
);

/** The visible text, without ages and times, which change with the day. */
const readText = (text: string): string =>
  text
    .replaceAll(/\b\d+ ?(?:min|mo|h|d|y|minutes?|hours?|days?|months?|years?)\b/g, '…')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]{2} \d{4}(?:, [\d:]+ UTC)?/g, '…')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n\s*/g, '\n');

describe('the images of the console in the pages', () => {
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

  it.each(shots)('show what the console shows with the demo data: $name, $theme', async (image) => {
    const { name, theme, hash, height, shown } = image;
    const path = join(folder, `console-${name}-${theme}.png`);
    const opened = await openConsole(browser, registry, hash, { theme });
    await opened.page.setViewport({ width: 1200, height });
    if (name === 'queue') await opened.page.click('.update button');
    if (name !== 'overview') await opened.waitForEvidence();
    await opened.page.waitForFunction(
      "[...document.querySelectorAll('nav .count')].every((one) => one.textContent !== '')",
    );
    await opened.page.waitForNetworkIdle();
    const texts = await opened.page.$$eval(shown, (all) => all.map((one) => one.innerText));

    if (isWriting) writeFileSync(path, await opened.page.screenshot());
    await opened.close();

    const expected = join(folder, `console-${name}.txt`);
    await expect(readText(texts.join('\n'))).toMatchFileSnapshot(expected);
    expect(statSync(path).size).toBeLessThan(mostBytes);
  });
});
