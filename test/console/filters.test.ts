import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  themes,
} from '../support/watched-page.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

describe('the filters of the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true, indexing: true, events: true }),
      startBrowser(),
    ]);
    await submit('clean', { batch: 'shop' });
    await submit('critical', { batch: 'shop' });
    await submit('low');
    await submit('forbidden', { license: 'AGPL-3.0-only' });
    await submit('snake', { ecosystem: 'pypi' }, tokens.alice);
    await submit('done', { batch: 'shop' }, tokens.alice);
    await scan('clean');
    await scan('critical', 'critical');
    await scan('low', 'low');
    await registry.post(packagePath('done', '/reject'), { reason: 'no' }, { token: tokens.bob });
    await submit('clean', { batch: 'till' }, tokens.ci, 409);
    const listed = async (query: string) =>
      (await registry.get(`/api/v1/reviews?${query}`)).body.reviews.length;
    await eventually(async () => expect(await listed('severity=low')).toBe(2));
    await eventually(async () => expect(await listed('demand=2')).toBe(1));
    await eventually(async () => expect(await listed('batch=shop&status=all')).toBe(3));
    await eventually(async () => expect(await listed('label=alice&status=all')).toBe(2));
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const submit = async (name: string, fields = {}, token: string = tokens.ci, expected = 201) => {
    const { status } = await registry.post(
      '/api/v1/packages',
      { ...version, name, ...fields },
      { token },
    );
    expect(status).toBe(expected);
  };

  const scan = (name: string, ...severities: readonly string[]) =>
    registry.post(
      `/api/v1/security/scans/${name}`,
      {
        tool: 'audit',
        vulnerabilities: severities.map((severity) => ({ id: 'CVE-2026-1', severity })),
      },
      { token: tokens.ci },
    );

  const open = (hash: string, theme: 'light' | 'dark' = 'light') =>
    openConsole(browser, registry, hash, { as: 'alice', theme });

  /** Waits until the list has exactly these versions, in this order. */
  const expectRows = (console: OpenedConsole, names: readonly string[]) =>
    console.page.waitForFunction(
      `JSON.stringify([...document.querySelectorAll('tr[data-key] .name')].map((one) => one.textContent)) === ${JSON.stringify(JSON.stringify(names))} && document.querySelector('.list-body[aria-busy=false]')`,
    );

  const all = ['clean', 'critical', 'low', 'forbidden', 'snake'];

  it('take the arrow keys to a filter, and Enter to set it', async () => {
    const console = await open('#/queue');
    await expectRows(console, all);
    const readMenu = () => console.page.$eval('.add-filter', ({ value }) => value);

    await console.press('f', 'ArrowDown', 'ArrowDown');

    expect(await readMenu()).toBe('ecosystem=npm');
    expect(await console.page.evaluate('location.hash')).toBe('#/queue');
    await console.press('Enter');
    await console.waitFor('.chip', 'Ecosystem: npm');
    await expectRows(console, ['clean', 'critical', 'low', 'forbidden']);
    expect(await readMenu()).toBe('');
    await console.close();
  });

  it.each([
    ['ecosystem=pypi', 'Ecosystem: pypi', ['snake']],
    ['issue=license_rejected', 'Issue: license rejected', ['forbidden']],
    ['issue=scan_failed', 'Issue: vulnerabilities', ['critical']],
    ['issue=none', 'Issue: no issues', ['clean', 'low']],
    ['severity=critical', 'Severity: critical', ['critical']],
    ['severity=low', 'Severity: low or worse', ['critical', 'low']],
    ['license_status=rejected', 'License: rejected', ['forbidden']],
    ['demand=2', 'Requested by: 2 batches or more', ['clean']],
    ['age=7', 'Waiting: 7 days or more', []],
    ['cause=update', 'Submitted as: update', []],
  ])(
    'add %s by the keyboard, keep it over a reload, and remove it',
    async (filter, text, names) => {
      const console = await open('#/queue');
      await expectRows(console, all);

      await console.press('f');
      await console.page.select('.add-filter:focus', filter);

      await console.waitFor('.chip', text);
      await expectRows(console, names);
      expect(await console.page.evaluate('location.hash')).toBe(`#/queue?${filter}`);
      await console.page.reload();
      await expectRows(console, names);
      await console.page.focus('.chip');
      await console.press('Enter');
      await expectRows(console, all);
      expect(await console.page.evaluate('document.activeElement.className')).toBe('add-filter');
      expect(console.complaints).toEqual([]);
      await console.close();
    },
  );

  it('take the name of a submitter and of a batch as text', async () => {
    const console = await open('#/queue');
    await expectRows(console, all);

    await console.page.select('.add-filter', 'submitter');
    await console.page.waitForSelector('input[aria-label=Submitter]:focus');
    await console.page.keyboard.type('alice');
    await console.press('Enter');

    await expectRows(console, ['snake']);
    await console.page.click('.chip');
    await console.page.select('.add-filter', 'batch');
    await console.page.waitForSelector('input[aria-label=Batch]:focus');
    await console.page.keyboard.type('shop');
    await console.press('Enter');
    await expectRows(console, ['clean', 'critical']);
    await console.waitFor('.batch-summary', '2 pending');
    await console.waitFor('.batch-summary', '1 rejected');
    await console.page.click('.batch-summary a:last-of-type');
    await expectRows(console, ['done']);
    await console.waitFor('.chip', 'Status: rejected');
    await console.close();
  });

  it('work together, and say how far the registry looked', async () => {
    const console = await open('#/queue?severity=low&issue=license_rejected');
    await console.waitFor('.empty', 'No results');
    expect(await console.page.$$eval('.chip', ({ length }) => length)).toBe(2);
    await console.close();
  });

  it.each([
    ['', ['clean', 'critical', 'low', 'forbidden', 'snake']],
    ['-submitted_at', ['snake', 'forbidden', 'low', 'critical', 'clean']],
    ['severity', ['critical', 'low', 'clean', 'forbidden', 'snake']],
    ['demand', ['clean', 'critical', 'low', 'forbidden', 'snake']],
  ])('keep the order %s in the address', async (sort, names) => {
    const console = await open('#/queue');
    await console.page.select('select[aria-label=Order]', sort);

    await expectRows(console, names);

    const hash = sort === '' ? '#/queue' : `#/queue?sort=${sort}`;
    expect(await console.page.evaluate('location.hash')).toBe(hash);
    await console.close();
  });

  it('list the own submissions with their status', async () => {
    const console = await open('#/queue');
    await console.waitFor('nav', 'My submissions');

    await console.page.click('nav a[href="#/submissions"]');

    await expectRows(console, ['done', 'snake']);
    await console.waitFor('tr[data-key="npm/done/1.0.0"] .status-cell', 'rejected');
    await console.page.select('.add-filter', 'status=pending');
    await expectRows(console, ['snake']);
    await console.close();
  });

  it('list batches with what needs the reviewer', async () => {
    const console = await open('#/queue');
    await console.page.select('.add-filter', 'batches');

    await console.waitFor('.rows li', 'shop 2 pending · 1 decided');
    await console.waitFor('.rows li', 'till 1 pending');
    await console.page.click('.rows li a');
    await console.waitFor('.batch-summary', 'pending');
    await console.page.waitForSelector('tr[data-key]');
    await console.close();
  });

  it.each(themes)('have no accessibility violation, and fit any window: %s', async (theme) => {
    const console = await open('#/sign-in', theme);
    for (const [hash, sign] of [
      ['#/queue?issue=scan_failed&severity=critical&submitter=ci&age=0', '.chip'],
      ['#/queue?batch=shop', '.batch-summary'],
      ['#/attention?reason=yanked', '.chip'],
      ['#/submissions', 'tr[data-key]'],
      ['#/batches', '.rows li'],
    ] as const) {
      await console.page.goto('about:blank');
      await console.page.goto(`${registry.url}/console${hash}`);
      await console.page.waitForSelector(sign);
      await console.page.waitForSelector('.list-body[aria-busy=false], .rows li');
      for (const width of [2560, 1440, 768, 320]) {
        await console.page.setViewport({ width, height: 800 });
        const violations = describeViolations(await findViolations(console.page));
        expect(violations, `${hash}, ${width}`).toEqual([]);
        expect(await measureOverflow(console.page), `${hash}, ${width}`).toBe(0);
      }
    }
    await console.close();
  });
});
