import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { FunctionClock } from '../support/function-clocks.ts';
import { TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations } from '../support/watched-page.ts';
import { openConsole } from './open-console.ts';

const dayMs = 86_400_000;

describe('the pending versions of the overview', () => {
  let registry: TestRegistry;
  let browser: Browser;

  const submit = (name: string) => registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ events: true, indexing: true, clock: new FunctionClock() }),
      startBrowser(),
    ]);
    registry.clock.pass(-10 * dayMs);
    for (const name of ['old', 'older', 'oldest']) await submit(name);
    registry.clock.pass(8 * dayMs);
    for (const name of ['vulnerable', 'also-vulnerable']) {
      await submit(name);
      const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'critical' }];
      const path = `/api/v1/security/scans/${name}`;
      await registry.post(path, { tool: 'audit', vulnerabilities });
    }
    registry.clock.pass(2 * dayMs);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('are counted by waiting time and by blocking issue, with links to the queue', async () => {
    const console = await openConsole(browser, registry, '#/overview');
    await console.waitFor('[aria-labelledby=pending]', '5 pending');

    const lines = await console.page.$$eval('.counts li', (all) =>
      all.map((line) => [line.textContent, line.querySelector('a')?.hash ?? null]),
    );

    expect(lines).toEqual([
      ['1 day or more5', '#/queue?age=1'],
      ['3 days or more3', '#/queue?age=3'],
      ['7 days or more3', '#/queue?age=7'],
      ['30 days or more0', null],
      ['vulnerabilities2', '#/queue?issue=scan_failed'],
    ]);
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('are counted in several requests where there are many', async () => {
    const console = await openConsole(browser, registry, '#/check');
    const counts = { approved: 0, rejected: 0, looked_at: 10_000, evaluated: 500 };
    const waits = { review: 0, facts: 0, scan: 0, rules: 0, age: 0, freeze: 0 };
    const issues = [{ code: 'license_rejected', versions: 9, blocking: 7 }];
    const pages = [
      {
        ...{ ...counts, pending: 10_000, waits, issues, complete: false, next: 'second' },
        by_age: [
          { from_days: 0, versions: 0 },
          { from_days: 1, versions: 0 },
          { from_days: 3, versions: 9_000 },
          { from_days: 30, versions: 1_000 },
        ],
      },
      {
        ...{ ...counts, pending: 12, waits, issues: [], complete: true, next: null },
        by_age: [
          { from_days: 0, versions: 2 },
          { from_days: 1, versions: 10 },
          { from_days: 3, versions: 0 },
          { from_days: 30, versions: 0 },
        ],
      },
    ] as const;
    console.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (!pathname.endsWith('/reviews/summary')) {
        request.continue();
        return;
      }
      const page = pages[searchParams.get('after') === 'second' ? 1 : 0];
      request.respond({
        ...{ status: 200, contentType: 'application/json' },
        body: JSON.stringify(page),
      });
    });
    await console.page.setRequestInterception(true);

    await console.page.evaluate("location.hash = '#/overview'");
    await console.waitFor('[aria-labelledby=pending]', '10,000 pending that waited longest.');
    await console.waitFor('[aria-labelledby=pending]', 'of the 500 that waited longest');
    await console.page.click('button::-p-text(Count more)');

    await console.waitFor('[aria-labelledby=pending]', '10,012 pending');
    const lines = await console.page.$$eval('.counts li', (all) =>
      all.map(({ textContent }) => textContent),
    );
    expect(lines).toEqual([
      ...['1 day or more10,010', '3 days or more10,000', '30 days or more1,000'],
      'license rejected7',
    ]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });
});
