import { readFileSync } from 'node:fs';
import type { AxeResults, Result } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { hangMs } from './hang.ts';

/** What a page complained of: the console's errors, the policy's violations, what was thrown. */
export type Complaints = string[];

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Notes what a page complains of from now on. */
export const watchComplaints = async (page: Page): Promise<Complaints> => {
  const complaints: Complaints = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.exposeFunction('complain', (what: string) => complaints.push(what));
  await page.evaluateOnNewDocument(
    "addEventListener('securitypolicyviolation', (e) => complain(e.violatedDirective + ' ' + e.blockedURI))",
  );
  return complaints;
};

/** Opens a page that shares nothing with others. */
export const openPage = async (
  browser: Browser | BrowserContext,
  { theme = 'light', width = 1280 }: { readonly theme?: Theme; readonly width?: number } = {},
): Promise<Page> => {
  const page = await browser.newPage();
  page.setDefaultTimeout(hangMs);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
  await page.setViewport({ width, height: 900 });
  return page;
};

/** What keeps somebody from using the page, as axe finds it. */
export const findViolations = async (page: Page): Promise<Result[]> => {
  // By the protocol, past the policy of the page.
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  return ((await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults)
    .violations;
};

/** What was found, in lines that tell where. */
export const describeViolations = (violations: readonly Result[]): string[] =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${target} ${html}`),
  );

/** By how many pixels a page is wider than its window. */
export const measureOverflow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth');

/** By how many pixels it is higher, or what is in its main part than that. */
export const measureDepth = (
  page: Page,
  parts: readonly string[] = ['html', 'main'],
): Promise<unknown> =>
  page.evaluate(
    `Math.max(...${JSON.stringify(parts)}.map((one) => document.querySelector(one)).map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))`,
  );
