import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations, measureOverflow } from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const token = tokens.alice;
const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const hostile = '<img src=x onerror="complain(1)">\u202egpj';

describe('the overview', () => {
  let registry: TestRegistry;
  let browser: Browser;

  const submit = (name: string) =>
    registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token });
  const approve = (name: string, body: object = {}) =>
    registry.post(packagePath(name, '/approve'), body, { token });

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, indexing: true }),
      startBrowser(),
    ]);
    for (const name of ['lasting', 'ending', 'failing', 'refused', 'waiting']) await submit(name);
    await approve('lasting');
    await approve('ending', { expires_at: inDays(40) });
    await approve('failing');
    await registry.post(packagePath('refused', '/reject'), { reason: 'no' }, { token });
    const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'critical', summary: hostile }];
    const report = { tool: 'audit', vulnerabilities };
    await registry.post('/api/v1/security/scans/failing', report, { token });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('shows the activity, top vulnerabilities, versions that need attention, and expiring approvals', async () => {
    const console = await openConsole(browser, registry, '#/overview');

    await console.waitFor('.charts', 'Submitted 5');
    await console.waitFor('.charts', 'Approved 3');
    await console.waitFor('.charts', 'Rejected 1');
    await console.waitFor('.charts', 'median under 15 min; 90 % within under 15 min; mean');
    await console.waitFor('.charts', 'By people 4 (100 %)');
    await console.waitFor('.charts', 'By policy 0 (0 %)');
    await console.waitFor('[aria-labelledby=recalls]', 'No version was recalled');
    await console.waitFor('[aria-labelledby=worst]', 'critical CVE-2022-1 in 1 version');
    await console.waitFor('[aria-labelledby=needs-attention]', 'failing 1.0.0');
    await console.waitFor('[aria-labelledby=expiring]', 'ending 1.0.0');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('opens an affected version of a vulnerability by keyboard', async () => {
    const console = await openConsole(browser, registry, '#/overview');
    await console.waitFor('[aria-labelledby=worst]', 'CVE-2022-1');
    expect(await console.read('[aria-labelledby=worst]')).toContain('<img src=x');

    await console.page.focus('[aria-labelledby=worst] a');
    await console.press('Enter');
    await console.waitFor('.page a', 'failing');
    await console.page.focus('.page a[href*=failing]');
    await console.press('Enter');

    await console.waitFor('.decision-summary', 'approved');
    expect(console.page.url()).toContain('#/packages/npm/failing/1.0.0');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('shows the same in a table for the chosen number of days, which the address keeps', async () => {
    const console = await openConsole(browser, registry, '#/overview');
    await console.waitFor('.charts', 'Submitted 5');

    await console.page.select('.period select', '365');
    await console.waitFor('.charts', 'Submitted 5');
    await console.page.$$eval('details', (all) => {
      for (const one of all) one.setAttribute('open', '');
    });

    expect(console.page.url()).toContain('days=365');
    await console.waitFor('.numbers tbody tr', '5');
    for (const width of [1280, 320]) {
      await console.page.setViewport({ width, height: 800 });
      expect(await measureOverflow(console.page), `${width} wide`).toBe(0);
      expect(describeViolations(await findViolations(console.page))).toEqual([]);
    }
    await console.close();
  });

  it('has a page with all approvals that expire', async () => {
    const console = await openConsole(browser, registry, '#/expirations');

    await console.waitFor('.page .rows', 'ending 1.0.0');
    expect(await console.read('.page')).toContain('expires');
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('opens the list of a bar, with the keys', async () => {
    const console = await openConsole(browser, registry, '#/overview');
    await console.waitFor('.charts', 'Approved 3');
    const today = new Date().toISOString().slice(0, 10);
    const bar = await console.page.$(`.bars a[aria-label="${today}: 3"]`);

    await bar?.focus();
    await console.press('ArrowLeft', 'End', 'Enter');

    await console.waitFor('.activity h2', 'Approved');
    await console.waitFor('.activity', '3 in total');
    expect(console.page.url()).toContain(`from=${today}`);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('has one stop of the Tab key in each chart, and the days and values of its bars', async () => {
    const console = await openConsole(browser, registry, '#/overview?days=30');
    await console.waitFor('.charts', 'Approved 3');

    const stops = await console.page.$$eval('.bars', (charts) =>
      charts.map((chart) => chart.querySelectorAll('a[tabindex="0"]').length),
    );
    const weeks = await console.page.$$eval('.charts:last-of-type .bar-value', (all) =>
      all.map(({ textContent }) => textContent),
    );

    expect(stops).toEqual([1, 1, 1, 1, 1]);
    expect(weeks).toEqual(['4']);
    expect(await console.read('.bar-scale')).toContain('most: 5');
    await console.close();
  });

  it('prints on one page', async () => {
    const console = await openConsole(browser, registry, '#/overview', { theme: 'dark' });
    await console.waitFor('.charts', 'Approved 3');
    await console.waitFor('[aria-labelledby=worst]', 'CVE-2022-1');
    await console.waitFor('[aria-labelledby=expiring]', 'ending');

    const file = Buffer.from(await console.page.pdf({ preferCSSPageSize: true })).toString(
      'latin1',
    );

    expect(file.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await console.close();
  });

  it('shows changes of others without a reload', async () => {
    const console = await openConsole(browser, registry, '#/overview');
    await console.waitFor('.charts', 'Approved 3');

    await approve('waiting');

    await console.waitFor('.charts', 'Approved 4');
    await console.close();
  });

  it.each([
    ['Submitted', ['ending', 'failing', 'lasting', 'refused', 'waiting']],
    ['Approved', ['ending', 'failing', 'lasting', 'waiting']],
    ['Rejected', ['refused']],
    ['Expired', []],
    ['By people', ['ending', 'failing', 'lasting', 'refused', 'waiting']],
    ['By policy', []],
  ] as const)('leads from a number to exactly what it counts: %s', async (title, names) => {
    const console = await openConsole(browser, registry, '#/overview');
    await console.waitFor('.chart-title', `${title} ${names.length}`);

    await console.page.click(`a.chart-title::-p-text(${title})`);

    await console.waitFor('.activity h2', title.replace('By', 'Decisions by'));
    await console.waitFor(
      '.activity',
      names.length > 0 ? `${names.length} in total` : 'No events in',
    );
    const listed = await console.page.$$eval('.activity .rows a bdi:first-child', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(listed.toSorted()).toEqual([...names]);
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('opens the counted versions of a table cell', async () => {
    const console = await openConsole(browser, registry, '#/overview');
    await console.waitFor('.charts', 'Rejected 1');

    await console.page.click('[aria-labelledby=activity] summary');
    await console.page.waitForSelector('.numbers a', { visible: true });
    await console.page.$$eval('.numbers a', (all) => all.at(2)?.click());

    await console.waitFor('.activity', '1 in total');
    await console.waitFor('.activity .rows', 'refused');
    await console.close();
  });
});
