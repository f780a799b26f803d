import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationDocs } from '../../shared/api/openapi/operation-docs.ts';
import type { ListedPage } from '../../shared/api/schemas/listed.ts';
import { startBrowser } from '../support/browser.ts';
import { TestRegistry } from '../support/registry.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

/** Packages with the longest names and licenses of real registries. */
const submissions = [
  { ecosystem: 'npm', name: '@typescript-eslint/eslint-plugin', version: '8.15.0', license: 'MIT' },
  { ecosystem: 'npm', name: 'jszip', version: '3.10.1', license: '(MIT OR GPL-3.0-or-later)' },
  { ecosystem: 'npm', name: 'type-fest', version: '4.30.0', license: 'MIT OR CC0-1.0' },
  {
    ecosystem: 'pypi',
    name: 'cryptography',
    version: '43.0.3',
    license: 'Apache-2.0 OR BSD-3-Clause',
  },
  { ecosystem: 'pypi', name: 'psycopg2', version: '2.9.10', license: 'LGPL-3.0-or-later' },
  {
    ...{ ecosystem: 'maven', name: 'org.springframework.boot:spring-boot-starter-actuator' },
    ...{ version: '3.4.0', license: 'Apache-2.0' },
  },
  {
    ...{ ecosystem: 'maven', name: 'jakarta.annotation:jakarta.annotation-api', version: '3.0.0' },
    license: 'EPL-2.0 OR GPL-2.0-only WITH Classpath-exception-2.0',
  },
  {
    ecosystem: 'docker',
    name: 'quay.io/prometheus/alertmanager',
    version: 'v0.27.0',
    license: 'Apache-2.0',
  },
].map((one) => ({ ...one, submitted_by: 'christopher.mcallister@example.com' }));

const many = Array.from({ length: 40 }, (_, at) => ({
  ...{ ecosystem: 'npm', name: `filler-${String(at).padStart(2, '0')}`, version: '1.0.0' },
}));

const listed = '#/queue?search=';

/** Returns the cut texts of a row, each with its column. */
const findCut = (page: Page): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('tr[data-key] :is(th, td)')]
    .filter((cell) => cell.offsetParent !== null)
    .filter((cell) => [cell, ...cell.querySelectorAll('a, bdi')].some((one) =>
      one.scrollWidth > one.clientWidth + 1 && !one.closest('.visually-hidden') && getComputedStyle(one).display !== 'inline' ||
      one.tagName === 'BDI' && one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).display !== 'inline'))
    .map((cell) => cell.className + ': ' + cell.textContent)`);

describe('the list of the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true }),
      startBrowser(),
    ]);
    const packages = [...submissions, ...many];
    const { body } = await registry.post('/api/v1/submissions', { packages }, { token: tokens.ci });
    for (const { status } of body.results) expect(status).toBe(201);
    const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'critical', summary: 'Too much' }];
    const report = { tool: 'audit', vulnerabilities };
    await registry.post('/api/v1/security/scans/jszip', report, { token: tokens.ci });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const open = (hash: string, width = 1280) =>
    openConsole(browser, registry, hash, { as: 'alice', width });

  it('keeps its head above the checkboxes in every scroll position', async () => {
    const console = await open(`${listed}filler`);
    await console.waitFor('tr[data-key]', 'filler-39');

    const hit = await console.page.evaluate(`(() => {
      const body = document.querySelector('.list-body');
      const box = document.querySelector('thead input').getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      return Array.from({ length: 60 }, (_, at) => {
        body.scrollTop = at * 7;
        return document.elementFromPoint(x, y).closest('thead, tbody').tagName;
      });
    })()`);

    expect(new Set(hit as string[])).toEqual(new Set(['THEAD']));
    await console.close();
  });

  it.each([1440, 1600])('cuts no license at %i pixels', async (width) => {
    const console = await open(listed, width);
    await console.waitFor('tr[data-key]', 'alertmanager');

    const cut = ((await findCut(console.page)) as string[]).filter((cell) =>
      cell.startsWith('license-cell'),
    );

    expect(cut).toEqual([]);
    await console.close();
  });

  it.each([1920, 2560])('cuts nothing at %i pixels', async (width) => {
    const console = await open(listed, width);
    await console.waitFor('tr[data-key]', 'alertmanager');

    expect(await findCut(console.page)).toEqual([]);
    await console.close();
  });

  it.each([320, 375, 720, 1024, 1199, 1200, 1440])(
    'labels scans and issues by words or column heads at %i pixels',
    async (width) => {
      const console = await open(listed, width);
      await console.waitFor('tr[data-key]', 'jszip');

      const shown = await console.page.$eval('.packages', (table) => table.innerText);

      // Column heads, or words in each row.
      if (/\bScan\b/.test(shown)) expect(shown).toMatch(/\bScan\s+Issues\b/);
      else expect(shown).toMatch(/scans: 1 critical · [^·]*\d issues?[^·]* · npm/);
      await console.close();
    },
  );

  it('selects a range with Shift, by pointer and by key', async () => {
    const console = await open(`${listed}filler`);
    await console.waitFor('tr[data-key]', 'filler-39');
    const keys = await console.page.$$eval('tr[data-key]', (rows) =>
      rows.map((row) => row.dataset['key'] ?? ''),
    );
    const row = (at: number) => `tr[data-key="${keys[at]}"]`;
    const selected = () =>
      console.page.$$eval('tr.selected', (rows) => rows.map((row) => row.dataset['key'] ?? ''));

    await console.page.click(`${row(13)} .select input`);
    await console.page.keyboard.down('Shift');
    await console.page.click(`${row(10)} .select input`);
    expect(await selected()).toEqual(keys.slice(10, 14));
    await console.page.keyboard.up('Shift');
    await console.press('Escape');
    await console.page.waitForSelector('tr.selected', { hidden: true });

    await console.page.focus(`${row(20)} a`);
    await console.press('J', 'J');
    expect(await selected()).toEqual(keys.slice(20, 23));
    await console.press('Escape', 'K');
    expect(await selected()).toEqual(keys.slice(21, 23));
    await console.close();
  });

  it('shows the current row and view in forced colours', async () => {
    const console = await open(`${listed}filler`);
    await console.waitFor('tr[data-key]', 'filler-39');
    const devtools = await console.page.createCDPSession();
    const features = [{ name: 'forced-colors', value: 'active' }];
    await devtools.send('Emulation.setEmulatedMedia', { features });
    await console.press('j', 'j');
    await console.page.evaluate('document.activeElement.blur()');

    const read = (selector: string, property: string): Promise<unknown[]> =>
      console.page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one).${property})`,
      ) as Promise<unknown[]>;
    const outlines = await read('tr[data-key]', 'outlineStyle');
    const borders = await read('nav a', 'borderBottomColor');

    expect(outlines.indexOf('solid')).toBe(1);
    expect(outlines.lastIndexOf('solid')).toBe(1);
    expect(new Set(borders.slice(1))).toEqual(new Set([borders[1]]));
    expect(borders[0]).not.toBe(borders[1]);
    await console.close();
  });

  it.each([320, 375, 719])('uses all but 80 pixels of a window of %i', async (width) => {
    const console = await open(listed, width);
    await console.waitFor('tr[data-key]', 'jszip');

    const height = await console.page.$eval('.frame-bar', (bar) => bar.offsetHeight);

    expect(height).toBeLessThanOrEqual(80);
    await console.close();
  });

  it('shows the package in the window title', async () => {
    const console = await open('#/packages/npm/jszip/3.10.1');
    await console.waitFor('.evidence h2', 'jszip');

    expect(await console.page.title()).toBe('jszip 3.10.1 · Packages · Package registry');

    await console.page.goto(`${registry.url}/console#/overview`);
    await console.page.waitForFunction("document.title === 'Overview · Package registry'");
    await console.close();
  });

  it('shows the number of pending versions in the icon of the tab', async () => {
    const console = await open('#/queue');
    const icon = await console.page.waitForSelector('link[rel=icon][href^="data:image/png"]');

    expect(icon).not.toBeNull();
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it.each(['constructor', '__proto__', 'toString'])('has no view %s', async (name) => {
    const console = await open(`#/${name}`);

    await console.waitFor('.empty', 'This page does not exist');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  /** Answers the list requests of a page by a function, and reloads the list. */
  const answerList = async (page: Page, answer: (listed: ListedPage) => ListedPage) => {
    let sequence = 1_000_000;
    let isNews = false;
    const [example] = operationDocs.listEvents.answer.events;
    const event = { ...example, type: 'license.decided', ecosystem: null, name: null };
    page.on('request', async (request) => {
      const url = new URL(request.url());
      if (url.searchParams.get('view') === 'full') {
        const { body } = await registry.get(`${url.pathname}${url.search}`);
        request.respond({ body: JSON.stringify(answer(body)), contentType: 'application/json' });
      } else if (url.pathname.endsWith('/events') && isNews) {
        isNews = false;
        sequence += 1;
        const body = { events: [{ ...event, version: null, sequence }], next: sequence };
        request.respond({ body: JSON.stringify(body), contentType: 'application/json' });
      } else request.continue();
    });
    await page.setRequestInterception(true);
    return () => {
      isNews = true;
    };
  };

  it('drops versions decided after the registry read its list', async () => {
    const console = await openConsole(browser, registry, `${listed}filler`, {
      as: 'alice',
      prepare: (page) =>
        answerList(page, ({ packages, ...rest }) => ({
          ...rest,
          packages: packages.map((one, at) => (at === 1 ? { ...one, status: 'approved' } : one)),
        })),
    });
    await console.waitFor('tr[data-key]', 'filler');

    expect(await console.page.$$eval('tr[data-key]', ({ length }) => length)).toBe(39);
    await console.close();
  });

  it('continues at the place of a row that no longer matches', async () => {
    let isDropped = false;
    const dropThird = (page: ListedPage): ListedPage => ({
      ...page,
      packages: page.packages.filter((_, at) => !isDropped || at !== 2),
    });
    const tellers: (() => void)[] = [];
    const console = await openConsole(browser, registry, `${listed}filler`, {
      as: 'alice',
      prepare: async (page) => tellers.push(await answerList(page, dropThird)),
    });
    await console.waitFor('tr[data-key]', 'filler');
    const keys = await console.page.$$eval('tr[data-key]', (rows) =>
      rows.map((row) => row.dataset['key'] ?? ''),
    );
    await console.press('j', 'j', 'j');
    isDropped = true;
    for (const tell of tellers) tell();
    await console.page.waitForSelector(`tr[data-key="${keys[2]}"]`, { hidden: true });

    const seen: unknown[] = [];
    for (const key of ['j', 'k']) {
      await console.press(key);
      seen.push(await console.page.$eval('tr.current', (row) => row.dataset['key']));
    }

    expect(seen).toEqual([keys[3], keys[1]]);
    await console.close();
  });
});
