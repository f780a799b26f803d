import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitInto } from '../../shared/util/split-into.ts';
import { startBrowser } from '../support/browser.ts';
import { until } from '../support/eventually.ts';
import { TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  themes,
} from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

/** Returns what the tab stores of the selection. */
const storedBasket =
  "Object.entries(sessionStorage).find(([key]) => key.startsWith('registry-basket '))?.[1]";

describe('the selected versions of the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, licenses: true }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const submit = async (...names: readonly string[]): Promise<void> => {
    for (const some of splitInto(50, names)) {
      const packages = some.map((name) => ({ ...version, name }));
      await registry.post('/api/v1/submissions', { packages }, { token: tokens.ci });
    }
  };

  const open = (hash: string, options = {}) =>
    openConsole(browser, registry, hash, { as: 'alice', ...options });

  const countRejected = async (search: string): Promise<number> =>
    (await registry.get(`/api/v1/packages?search=${search}&status=rejected`)).body.total;

  const row = (name: string): string => `tr[data-key="npm/${name}/1.0.0"]`;

  it('stay over a search, a view and a reload, and are decided together', async () => {
    await submit('kept-a', 'kept-b', 'mine-c', 'mine-d');
    const console = await open('#/queue?search=kept');
    await console.waitFor(row('kept-b'), 'kept-b');
    await console.press('j', 'x', 'j', 'x');
    await console.waitFor('.bulk-bar', '2 selected');

    await console.page.evaluate("location.hash = '#/packages?search=mine'");
    await console.waitFor(row('mine-d'), 'mine-d');
    await console.waitFor('.bulk-bar', '2 selected, none of them in this list');
    await console.page.click(`${row('mine-c')} .select input`);
    await console.waitFor('.bulk-bar', '3 selected, 1 of them in this list');
    await console.page.reload();
    await console.waitFor('.bulk-bar', '3 selected, 1 of them in this list');
    expect(await console.page.$$eval('tr.selected', ({ length }) => length)).toBe(1);
    const kept = await console.page.evaluate(storedBasket);
    expect(kept).toContain('mine-c');
    expect(kept).not.toContain(tokens.alice);
    await console.page.waitForSelector('a.signed-in-user');

    await console.press('r');
    await console.waitFor('.decision-form', 'Reject 3 versions');
    await console.page.keyboard.type('Nobody needs them');
    await console.press('Enter');

    await console.waitFor('.announcement', '3 rejected');
    await console.page.waitForSelector('.bulk-bar', { hidden: true });
    expect(await countRejected('kept')).toBe(2);
    expect(await countRejected('mine')).toBe(1);
    expect(await console.page.evaluate(storedBasket)).toBe(undefined);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('are deselected one by one, and all in the list by the key that selects them', async () => {
    await submit('alone-a', 'alone-b', 'alone-c');
    const console = await open('#/queue?search=alone');
    await console.waitFor(row('alone-c'), 'alone-c');
    await console.press('X');
    await console.waitFor('.bulk-bar', '3 selected');

    await console.page.click(`${row('alone-c')} .select input`);

    await console.waitFor('.bulk-bar', '2 selected');
    await console.press('X');
    await console.waitFor('.bulk-bar', '3 selected');
    await console.press('X');
    await console.page.waitForSelector('.bulk-bar', { hidden: true });
    await console.close();
  });

  it('are all versions that match, over all pages', async () => {
    const names = Array.from({ length: 130 }, (_, at) => `whole-${String(at).padStart(3, '0')}`);
    await submit(...names);
    const console = await open('#/queue?search=whole');
    await console.waitFor('.more', '100 of 130');
    await console.press('X');
    await console.waitFor('.bulk-bar', '100 selected');

    await console.page.click('.bulk-bar button::-p-text(Select all that match)');

    await console.waitFor('.bulk-bar', '130 selected, 100 of them in this list');
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject 130 versions');
    await console.page.keyboard.type('Nobody needs them');
    await console.press('Enter');
    await console.waitFor('.announcement', '130 rejected');
    expect(await countRejected('whole')).toBe(130);
    await console.close();
  });

  /** A page of 100 listed versions. */
  const toPage = (at: number) => ({
    reviews: Array.from({ length: 100 }, (_, one) => ({
      ...{ ...version, name: `many-${at}-${one}`, description: null, homepage: null },
      ...{ status: 'pending', license_status: 'approved', effective_license: 'MIT', scan: null },
      ...{ issues: [], evidence_version: 'v', automatic: null, newer_update: null },
      ...{ submitted_at: '2026-11-01T00:00:00.000Z', submitted_by: 'ci', older_updates: [] },
      ...{ submitted_token_label: null, expires_at: null, waits_for: ['review'], batches: [] },
    })),
    ...{ looked_at: 100, complete: false, older_updates: 0, next: String(at + 1) },
  });

  it('are at most 1,000, and a stop ends the selection', async () => {
    let held: HTTPRequest | undefined;
    let isHolding = true;
    const console = await open('#/queue?cause=update', {
      prepare: async (page: Page) => {
        page.on('request', (request) => {
          const { pathname, searchParams } = new URL(request.url());
          if (!pathname.endsWith('/api/v1/reviews')) return request.continue();
          const at = Number(searchParams.get('after') ?? 0);
          if (at === 3 && isHolding) {
            held = request;
            return undefined;
          }
          return request.respond({
            ...{ status: 200, contentType: 'application/json' },
            body: JSON.stringify(toPage(at)),
          });
        });
        await page.setRequestInterception(true);
      },
    });
    await console.press('X');
    const all = '.bulk-bar button::-p-text(Select all that match)';
    await console.page.click(all);
    await until(() => held !== undefined);
    await console.waitFor('.bulk-bar', '300 selected, 100 of them in this list');

    await console.page.click('.bulk-bar button::-p-text(Stop selecting)');

    await console.page.waitForSelector(all);
    isHolding = false;
    await console.page.click(all);
    await console.waitFor('.announcement', '1,000 selected, the most at once');
    await console.waitFor('.bulk-bar', '1,000 selected');
    await console.press('Escape');
    await console.page.waitForSelector('.bulk-bar', { hidden: true });
    await console.close();
  });

  it.each(themes)('have a bar without an accessibility violation: %s', async (theme) => {
    await submit(`bar-${theme}`);
    const console = await open(`#/queue?search=bar-${theme}`, { theme });
    await console.press('X');
    await console.page.evaluate("location.hash = '#/packages?search=zzz'");
    await console.waitFor('.bulk-bar', '1 selected, none of them in this list');
    for (const width of [2560, 1440, 768, 320]) {
      await console.page.setViewport({ width, height: 800 });
      expect(describeViolations(await findViolations(console.page)), `${width}`).toEqual([]);
      expect(await measureOverflow(console.page), `${width}`).toBe(0);
    }
    await console.close();
  });
});
