import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { TestRegistry } from '../support/registry.ts';
import {
  type Complaints,
  describeViolations,
  findViolations,
  measureOverflow,
  openPage,
  type Theme,
  themes,
  watchComplaints,
} from '../support/watched-page.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

/** Waits until an element shows a text. */
const waitForText = async (page: Page, selector: string, text: string): Promise<void> => {
  const [quotedSelector, quotedText] = [selector, text].map((part) => JSON.stringify(part));
  await page.waitForFunction(
    `document.querySelector(${quotedSelector})?.textContent.includes(${quotedText})`,
  );
};

const operation = (id: string): string => `#operations-${id}`;

const open = async (page: Page, id: string): Promise<void> => {
  await page.waitForSelector(`${operation(id)} .opblock-summary-control`);
  await page.click(`${operation(id)} .opblock-summary-control`);
  await page.waitForSelector(`${operation(id)} .execute`);
};

/**
 * Known faults of the viewer: the name of the button "Authorize" differs from its text. And browsers
 * reach what scrolls by keyboard by themselves.
 */
const viewersOwn = ['label-content-name-mismatch', 'scrollable-region-focusable'];

const findBarriers = async (page: Page): Promise<string[]> =>
  describeViolations(
    (await findViolations(page)).filter(
      ({ impact, id }) =>
        id === 'heading-order' ||
        ((impact === 'serious' || impact === 'critical') && !viewersOwn.includes(id)),
    ),
  );

describe('the reference in a browser', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: token }),
      startBrowser(),
    ]);
    await registry.submit({ ecosystem: 'npm', name: 'lodash', version: '4.17.21' }, { token });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const show = async (theme: Theme = 'light'): Promise<{ page: Page; complaints: Complaints }> => {
    const page = await openPage(browser, { theme });
    const complaints = await watchComplaints(page);
    page.on('requestfailed', (request) => complaints.push(`${request.url()} failed`));
    await page.goto(`${registry.url}/docs`);
    await page.waitForSelector('.opblock');
    return { page, complaints };
  };

  it('lets a reader try a call without console errors', async () => {
    const { page, complaints } = await show();

    await open(page, 'Packages-list-packages');
    await page.click(`${operation('Packages-list-packages')} .execute`);

    const answer = `${operation('Packages-list-packages')} .live-responses-table`;
    await waitForText(page, answer, '"lodash"');
    await waitForText(page, answer, '"total": 1');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('lets a reader set a token, and submit with it', async () => {
    const { page, complaints } = await show();
    const answer = `${operation('Packages-submit-package')} .live-responses-table`;
    await open(page, 'Packages-submit-package');
    await page.click(`${operation('Packages-submit-package')} .execute`);
    await waitForText(page, answer, 'missing_token');

    await page.click('.btn.authorize');
    await page.type('.auth-container input', token);
    await page.click('.auth-btn-wrapper .authorize');
    await page.click('.auth-btn-wrapper .btn-done');
    await page.click(`${operation('Packages-submit-package')} .execute`);

    await waitForText(page, answer, 'submitted_at');
    expect((await registry.get('/api/v1/packages/left-pad')).status).toBe(200);
    // The console shows only the refusal of the first call.
    expect(complaints).toEqual([expect.stringContaining('401')]);
    await page.close();
  });

  it('opens an operation by its address', async () => {
    const { page } = await show();

    await open(page, 'Licenses-show-license');

    expect(page.url()).toBe(`${registry.url}/docs#/Licenses/show-license`);
    await page.close();
  });

  it.each(themes)('has no serious accessibility violation, and fits: %s', async (theme) => {
    const { page } = await show(theme);
    await open(page, 'Packages-submit-package');
    await open(page, 'Licenses-set-license');

    for (const width of [1280, 360]) {
      await page.setViewport({ width, height: 900 });
      const barriers = await findBarriers(page);
      const overflow = await measureOverflow(page);
      expect({ barriers, overflow }, `${width} wide`).toEqual({ barriers: [], overflow: 0 });
    }
    await page.close();
  });

  it('is cached by the browser', async () => {
    const { page } = await show();
    const devtools = await page.createCDPSession();
    const bytes: number[] = [];
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) =>
      bytes.push(encodedDataLength),
    );
    await devtools.send('Network.enable');

    await page.goto('about:blank');
    await page.goto(`${registry.url}/docs`);
    await page.waitForSelector('.opblock');

    const sum = bytes.reduce((all, one) => all + one, 0);
    expect(bytes.length).toBeGreaterThan(0);
    expect(sum).toBeLessThan(10 * 1024);
    await page.close();
  });
});
