import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { TestRegistry } from '../support/registry.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

describe('by the keyboard alone', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true, indexing: true, events: true }),
      startBrowser(),
    ]);
    await submit('fifty-clean', 30);
    await submit('fifty-license', 8, { license: 'AGPL-3.0-only' });
    await submit('fifty-scan', 5);
    await submit('fifty-other', 7);
    const vulnerabilities = [{ id: 'CVE-2026-1', severity: 'critical' }];
    for (let at = 0; at < 5; at += 1) {
      const path = `/api/v1/security/scans/fifty-scan-${at}`;
      await registry.post(path, { tool: 'audit', vulnerabilities }, { token: tokens.ci });
    }
    const listed = async (query: string) =>
      (await registry.get(`/api/v1/reviews?${query}`)).body.reviews.length;
    await eventually(async () => expect(await listed('issue=license_rejected')).toBe(8));
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const submit = async (prefix: string, count: number, fields = {}): Promise<void> => {
    const packages = Array.from({ length: count }, (_, at) => ({
      ...{ ...version, ...fields, name: `${prefix}-${at}` },
    }));
    await registry.post('/api/v1/submissions', { packages }, { token: tokens.ci });
  };

  /** Replaces the search, and leaves the fields above the list. */
  const search = async (console: OpenedConsole, text: string, count: number): Promise<void> => {
    await console.press('/');
    await console.page.keyboard.down('Control');
    await console.press('a');
    await console.page.keyboard.up('Control');
    await console.page.keyboard.type(text);
    await console.page.waitForFunction(
      `[...document.querySelectorAll('tr[data-key] .name')].filter((one) => one.textContent.startsWith('${text}')).length === ${count} && document.querySelectorAll('tr[data-key]').length === ${count}`,
    );
    while (
      await console.page.evaluate(
        "document.activeElement.matches('input[type=search], select, .chip')",
      )
    ) {
      await console.press('Tab');
    }
  };

  const countWith = async (status: string): Promise<number> =>
    (await registry.get(`/api/v1/packages?search=fifty&status=${status}`)).body.total;

  it('a reviewer decides on 50 versions, with filters, overrides, undo and a selection', async () => {
    const console = await openConsole(browser, registry, '#/queue', { as: 'alice', undo: true });
    // 22 approvals, and two of them undone.
    await search(console, 'fifty-clean', 30);
    await console.press('j');
    for (let at = 0; at < 22; at += 1) {
      await console.waitForEvidence();
      await console.press('a');
    }
    for (let at = 0; at < 2; at += 1) {
      await console.press('u');
      await console.waitFor('.announcement', 'Undone');
    }
    // The others of this search with those of another one.
    await console.press('X');
    await console.waitFor('.bulk-bar', '10 selected');
    await search(console, 'fifty-scan', 5);
    await console.press('X');
    await console.waitFor('.bulk-bar', '15 selected, 5 of them in this list');
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject 15 versions');
    await console.page.keyboard.type('Nobody needs them');
    await console.press('Enter');
    await console.page.waitForSelector('.bulk-bar', { hidden: true });
    // Overrides, each with a reason.
    await search(console, 'fifty-license', 8);
    await console.press('f');
    await console.page.select('.add-filter:focus', 'issue=license_rejected');
    await console.waitFor('.chip', 'license rejected');
    await search(console, 'fifty-license', 8);
    await console.press('j');
    for (let at = 0; at < 8; at += 1) {
      await console.waitForEvidence();
      await console.press('a');
      await console.waitFor('.decision-form', 'Approve npm:fifty-license');
      await console.page.keyboard.type('Only used in tests');
      await console.press('Enter');
      await console.page.waitForSelector('.decision-form', { hidden: true });
    }
    await console.page.evaluate("location.hash = '#/queue'");
    await search(console, 'fifty-other', 7);
    await console.press('j');
    for (let at = 0; at < 7; at += 1) {
      await console.waitForEvidence();
      await console.press('r');
      await console.waitFor('.decision-form', 'Reject npm:fifty-other');
      await console.page.keyboard.type('Not maintained');
      await console.press('Enter');
      await console.page.waitForSelector('.decision-form', { hidden: true });
    }
    // Leaving the view sends what still waits for an undo.
    await console.page.evaluate("location.hash = '#/overview'");

    await eventually(async () => expect(await countWith('pending')).toBe(0));
    expect(await countWith('approved')).toBe(28);
    expect(await countWith('rejected')).toBe(22);
    expect(console.complaints).toEqual([]);
    await console.close();
  });
});
