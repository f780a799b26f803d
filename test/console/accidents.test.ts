import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

describe('the console prevents accidental decisions', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const submit = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await registry.submit({ ...version, name }, { token: tokens.ci });
  };

  const open = (hash: string, options: Parameters<typeof openConsole>[3] = { as: 'alice' }) =>
    openConsole(browser, registry, hash, options);

  /** Opens the queue with the versions of a name prefix. */
  const openQueue = async (prefix: string, last: string): Promise<OpenedConsole> => {
    const console = await open(`#/queue?search=${prefix}`);
    await console.waitFor(`tr[data-key="npm/${last}/1.0.0"]`, last);
    return console;
  };

  const findStatus = async (name: string): Promise<string> =>
    (await registry.get(packagePath(name))).body.status;

  /** Counts the decision requests of a page from now on. */
  const countDecisions = (page: Page): (() => Promise<number>) => {
    let count = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().endsWith('/check')) count += 1;
    });
    return async () => {
      // All earlier requests of the page are known after this answer.
      await page.evaluate('0');
      return count;
    };
  };

  it('by a repeating key', async () => {
    await submit('held-a', 'held-b', 'held-c');
    const console = await openQueue('held-', 'held-c');
    const decisions = countDecisions(console.page);
    await console.press('j');

    // The browser repeats the event of a pressed key.
    for (const name of ['held-a', 'held-b', 'held-b']) {
      await console.waitForEvidence(name);
      await console.page.keyboard.down('a');
    }
    await console.page.keyboard.up('a');
    await console.waitFor('tr[data-key="npm/held-a/1.0.0"] .status-cell', 'approved');

    expect(await decisions()).toBe(1);
    expect(await findStatus('held-b')).toBe('pending');
    await console.close();
  });

  it('by a repeating key, which selects a row once', async () => {
    await submit('kept-a');
    const console = await openQueue('kept-', 'kept-a');
    await console.press('j');

    await console.page.keyboard.down('x');
    await console.page.keyboard.down('x');

    await console.waitFor('.bulk-bar', '1 selected');
    await console.close();
  });

  it('by a repeating Enter key that reaches the button', async () => {
    await submit('enter-a');
    const console = await openQueue('enter-', 'enter-a');
    await console.waitForEvidence('enter-a');
    const decisions = countDecisions(console.page);
    await console.page.keyboard.down('Enter');
    await console.page.focus('.decision-bar .primary');

    await console.page.keyboard.down('Enter');
    await console.page.keyboard.up('Enter');

    expect(await decisions()).toBe(0);
    await console.press('Enter');
    await console.waitFor('.decision-summary', 'approved');
    await console.close();
  });

  it('by the second click of a double click', async () => {
    await submit('twice-a');
    const console = await openQueue('twice-', 'twice-a');
    await console.waitForEvidence('twice-a');
    const decisions = countDecisions(console.page);

    await console.page.evaluate(
      "document.querySelector('.decision-bar .primary').dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }))",
    );

    expect(await decisions()).toBe(0);
    await console.page.click('.decision-bar .primary');
    await console.waitFor('.decision-summary', 'approved');
    await console.close();
  });

  it('by a word typed on a fresh page', async () => {
    await submit('fresh-a', 'fresh-b');
    const console = await openQueue('fresh-', 'fresh-b');
    await console.waitForEvidence('fresh-a');
    const decisions = countDecisions(console.page);

    await console.press('a');
    await console.waitFor('.announcement', 'Choose a version first: press j or k, or click a row');
    await console.press(...'xiosr');

    expect(await decisions()).toBe(0);
    expect(await console.page.$('.decision-form, .bulk-bar')).toBe(null);
    expect(await findStatus('fresh-a')).toBe('pending');
    await console.close();
  });

  it('before the evidence is visible, with a message', async () => {
    await submit('slow-a', 'slow-b');
    const console = await openQueue('slow-', 'slow-b');
    await console.waitForEvidence('slow-a');
    const decisions = countDecisions(console.page);
    const held: HTTPRequest[] = [];
    let isSlow = true;
    console.page.on('request', (request) => {
      if (isSlow && request.url().includes('/slow-b/evidence')) held.push(request);
      else request.continue();
    });
    await console.page.setRequestInterception(true);
    await console.press('j');
    await console.press('a');
    await console.waitFor('.evidence h2', 'slow-b');
    // The message about the first decision precedes the one about the next key.
    await console.waitFor('.announcement', 'npm:slow-a@1.0.0 approved');

    await console.press('a');

    await console.waitFor('.announcement', 'The evidence is still loading');
    await console.press('r');
    expect(await console.page.$('.decision-form')).toBe(null);
    expect(await decisions()).toBe(1);

    isSlow = false;
    for (const request of held) request.continue();
    await console.waitForEvidence('slow-b');
    await console.press('a');
    await console.waitFor('tr[data-key="npm/slow-b/1.0.0"] .status-cell', 'approved');
    await console.close();
  });

  it('by a word whose field disappears meanwhile', async () => {
    await submit('word-a', 'word-b');
    await registry.post(
      '/api/v1/security/scans/word-a',
      { tool: 'audit', vulnerabilities: [{ id: 'CVE-2022-1', severity: 'high' }] },
      { token: tokens.ci },
    );
    const console = await openQueue('word-', 'word-b');
    await console.press('j');
    await console.waitForEvidence('word-a');
    const decisions = countDecisions(console.page);
    await console.press('a');
    await console.waitFor('.decision-form', 'Why do you approve it anyway?');
    await console.page.keyboard.type('Only');
    const override = { reason: 'It is an old one', override: ['scan_failed'] };
    await registry.post(packagePath('word-a', '/approve'), override, { token: tokens.bob });
    await console.page.waitForSelector('.decision-form', { hidden: true });

    await console.press('j');

    await console.waitFor('.announcement', 'The field that you typed into was closed');
    await console.press('a');
    expect(console.page.url()).not.toContain('word-b');
    await console.press('Escape', 'j');
    await console.waitForEvidence('word-b');
    expect(await decisions()).toBe(0);
    await console.press('a');
    await console.waitFor('tr[data-key="npm/word-b/1.0.0"] .status-cell', 'approved');
    await console.close();
  });

  it('by a late answer, which keeps view and form', async () => {
    await submit('late-a', 'late-b', 'late-c');
    const console = await openQueue('late-', 'late-c');
    const held: HTTPRequest[] = [];
    console.page.on('request', (request) => {
      if (request.headers()['idempotency-key']) held.push(request);
      else request.continue();
    });
    await console.page.setRequestInterception(true);
    await console.press('j');
    await console.waitForEvidence('late-a');
    await console.page.click('.decision-bar .primary');
    await console.press('j', 'j');
    await console.waitForEvidence('late-c');
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject npm:late-c');

    for (const request of held) request.continue();

    await console.waitFor('.announcement', 'npm:late-a@1.0.0 approved');
    expect(console.page.url()).toContain('late-c');
    await console.waitFor('.decision-form', 'Reject npm:late-c');
    await console.close();
  });

  it('by single keys, if they are switched off', async () => {
    await submit('off-a', 'off-b');
    const console = await openQueue('off-', 'off-b');
    await console.press('?');
    await console.page.click('.keys [name=keys]');
    await console.press('Escape');
    await console.page.reload();
    await console.waitForEvidence('off-a');
    const decisions = countDecisions(console.page);

    await console.press(...'jaxXr?/');

    expect(await console.page.$('.decision-form, .bulk-bar, dialog')).toBe(null);
    expect(console.page.url()).not.toContain('/npm/');
    expect(await decisions()).toBe(0);
    expect(await console.page.evaluate("localStorage.getItem('registry-keys')")).toBe('off');
    // A click switches them on again.
    await console.page.click('.key-button');
    await console.page.click('.keys [name=keys]');
    await console.page.click('.keys > button');
    await console.press('j');
    await console.waitForEvidence('off-a');
    await console.press('a');
    await console.waitFor('tr[data-key="npm/off-a/1.0.0"] .status-cell', 'approved');
    await console.close();
  });

  it('by selecting all, which selects pending versions and names the others', async () => {
    await submit('all-old', 'all-a', 'all-b');
    await registry.post(packagePath('all-old', '/approve'), {}, { token: tokens.bob });
    const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'critical' }];
    await registry.post(
      '/api/v1/security/scans/all-old',
      { tool: 'audit', vulnerabilities },
      { token: tokens.ci },
    );
    const console = await openQueue('all-', 'all-b');
    await console.waitFor('tr.group', 'Needs attention');

    await console.press('X');

    await console.waitFor(
      '.announcement',
      '2 pending selected; 1 version that needs attention not selected',
    );
    await console.waitFor('.bulk-bar', '2 selected');
    expect(
      await console.page.$eval('thead input', (box) => (box as { checked?: boolean }).checked),
    ).toBe(true);
    // Without pending versions, it selects all shown ones.
    const attention = await open('#/attention?search=all-');
    await attention.press('X');
    await attention.waitFor('.bulk-bar', '1 selected');
    await Promise.all([console.close(), attention.close()]);
  });

  it('by readers without the scope, who get no form', async () => {
    await registry.submit({ ...version, name: 'others' }, { token: tokens.alice });
    await submit('own');
    const others = await open('#/queue/npm/others/1.0.0?search=others', { as: 'ci' });
    await others.waitForEvidence('others');
    await others.press('r');
    await others.waitFor('.announcement', 'You cannot decide');
    const disabled = await others.page.$$eval('.decision-bar button', (buttons) =>
      buttons.map(({ disabled: isDisabled }) => isDisabled),
    );
    await others.press('x', 'r');
    await others.waitFor('.bulk-bar', '1 selected');
    expect(await others.page.$('.decision-form')).toBe(null);
    expect(disabled).toEqual([true, true]);

    // The submitter can withdraw it with a reason.
    const own = await open('#/queue/npm/own/1.0.0?search=own', { as: 'ci' });
    await own.waitForEvidence('own');
    await own.press('r');
    await own.waitFor('.decision-form', 'Why do you withdraw this submission?');
    await own.page.keyboard.type('Submitted by mistake');
    await own.press('Enter');
    await own.waitFor('.decision-summary', 'rejected');
    await Promise.all([others.close(), own.close()]);
  });
});
