import { readFileSync } from 'node:fs';
import type { AxeResults, Result } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { hangMs } from './hang.ts';

/** The errors of a page: console errors, violations of the policy, uncaught exceptions. */
export type Complaints = string[];

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Records the errors of a page from now on. */
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

/** Opens a page in its own browser context. */
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

/** Returns the accessibility violations of the page, according to axe. */
export const findViolations = async (page: Page): Promise<Result[]> => {
  // Through the protocol, which bypasses the policy of the page.
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  // In the middle of a transition, a colour is neither that of before nor that of after.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {})',
  );
  return ((await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults)
    .violations;
};

/** Returns the violations as lines with their locations. */
export const describeViolations = (violations: readonly Result[]): string[] =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target }) => `${id}: ${target} ${html}`),
  );

/** The pixels by which a page is wider than its window. */
export const measureOverflow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth');

/** The pixels by which a page is higher than its window, or its content than the main part. */
export const measureDepth = (
  page: Page,
  parts: readonly string[] = ['html', 'main'],
): Promise<unknown> =>
  page.evaluate(
    `Math.max(...${JSON.stringify(parts)}.map((one) => document.querySelector(one)).map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight))`,
  );
