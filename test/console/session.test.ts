import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { hangMs } from '../support/hang.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations, measureOverflow } from '../support/watched-page.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

describe('a reviewer', () => {
  let registry: TestRegistry;
  let open: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, open, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true }),
      TestRegistry.start(),
      startBrowser(),
    ]);
    const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' };
    await registry.submit(id, { token: tokens.ci });
    await open.submit(id);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close(), open?.close()]));

  it('reads everything without a token, and gets a link to sign in', async () => {
    const console = await openConsole(browser, registry, '');

    await console.waitFor('tr[data-key]', 'left-pad');
    await console.waitFor('.decision-summary', 'pending');
    await console.page.click('.signed-in-user');

    await console.waitFor('.sheet', 'Your token');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('sees that the registry refuses a wrong token', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');

    await console.page.type('input[name=token]', 'not-a-token-of-this-registry-but-long-enough');
    await console.press('Enter');

    const { body } = await registry.get('/api/v1/whoami', {
      token: 'not-a-token-of-this-registry-but-long-enough',
    });
    await console.waitFor('.sheet [role=alert]', body.detail);
    expect(await console.page.evaluate('sessionStorage.length')).toBe(0);
    await console.close();
  });

  it('keeps a token in this window only, and sends it only with requests that need it', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    const carrying: string[] = [];
    const addresses: string[] = [];
    console.page.on('request', (request) => {
      addresses.push(request.url());
      if (request.headers()['x-api-key']) carrying.push(new URL(request.url()).pathname);
    });

    await console.page.type('input[name=token]', tokens.alice);
    await console.press('Enter');
    await console.waitFor('.sheet', 'You are signed in');
    await console.waitFor('.signed-in-user', 'alice, may submit and review');
    await console.page.goto(`${registry.url}/console#/queue`);
    await console.page.reload();
    await console.waitFor('.signed-in-user', 'alice');
    await console.waitFor('.decision-summary', 'pending');
    await console.waitFor('section:has(#used-by)', 'No recorded project');

    const kept = (await console.page.evaluate(
      '({ session: { ...sessionStorage }, local: { ...localStorage }, cookies: document.cookie, html: document.documentElement.outerHTML })',
    )) as Record<'session' | 'local' | 'cookies' | 'html', unknown>;
    expect(kept.session).toEqual({ 'registry-token': tokens.alice });
    expect(JSON.stringify([kept.local, kept.cookies, kept.html])).not.toContain(tokens.alice);
    expect(await console.page.browserContext().cookies()).toEqual([]);
    expect(addresses.join()).not.toContain(tokens.alice);
    expect(carrying.filter((path) => !/^\/api\/v1\/packages\/[^/]+\/projects$/.test(path))).toEqual(
      carrying.filter((path) => path === '/api/v1/whoami'),
    );
    expect(addresses.every((address) => address.startsWith(registry.url))).toBe(true);

    await console.page.click('.signed-in-user');
    await console.waitFor('.sheet', 'Sign out');
    await console.page.click('.sheet button');
    await console.waitFor('.sheet', 'Your token');
    expect(await console.page.evaluate('sessionStorage.length')).toBe(0);
    await console.close();
  });

  it('needs no token if the registry has none', async () => {
    const console = await openConsole(browser, open, '#/queue');
    await console.waitFor('.signed-in-user', 'everyone may decide');
    await console.waitFor('.decision-bar', 'Approve');

    await console.page.click('.decision-bar .primary');

    await console.waitFor('.decision-summary', 'approved');
    await console.close();
  });

  it('sees that the registry is unreachable, and continues after that', async () => {
    const console = await openConsole(browser, registry, '#/queue', { as: 'alice' });
    await console.press('j');
    await console.waitForEvidence('left-pad');

    await console.page.setOfflineMode(true);
    await console.waitFor('.connection-notice', 'The registry cannot be reached');
    await console.press('a');
    await console.waitFor('tr[data-key] .status-cell', 'no answer, checking');
    await console.page.setOfflineMode(false);

    await console.page.waitForSelector('.connection-notice', { hidden: true });
    await console.waitFor('tr[data-key] .status-cell', 'not made yet');
    await console.page.click('.decision-bar .open-request button');
    await console.waitFor('tr[data-key] .status-cell', 'approved');
    await console.close();
  });

  it('shares a link to a package, which shows it to other readers', async () => {
    const sent = await openConsole(browser, registry, '#/packages');
    await sent.waitFor('tr[data-key]', 'left-pad');
    const address = await sent.page.$eval('tr[data-key] a', ({ hash }) => hash);
    await sent.close();

    const console = await openConsole(browser, registry, address, { width: 320 });

    await console.waitFor('.evidence h2', 'left-pad 1.3.0');
    // As the only content, with a link back.
    expect(await console.page.$eval('.list', ({ offsetParent }) => offsetParent === null)).toBe(
      true,
    );
    await console.page.click('.back');
    await console.page.waitForSelector('tr[data-key]', { visible: true });
    await console.close();
  });

  it('gets redirected from the root to the console, unlike programs', async () => {
    const page = await browser.newPage();
    await page.goto(`${registry.url}/`);

    expect(page.url()).toMatch(`${registry.url}/console`);
    expect((await registry.get('/')).body.links.console).toBe(`${registry.url}/console`);
    await page.close();
  });

  /** Another tab of the same browser. */
  const openTab = async ({ page }: OpenedConsole, hash: string): Promise<Page> => {
    const tab = await page.browserContext().newPage();
    tab.setDefaultTimeout(hangMs);
    await tab.goto(`${registry.url}/console${hash}`);
    return tab;
  };

  const waitForWho = (tab: Page, text: string) =>
    // A background tab does not render.
    tab.waitForFunction(
      `document.querySelector('.signed-in-user')?.textContent.includes('${text}')`,
      {
        polling: 'mutation',
      },
    );

  const judge = async (page: Page): Promise<void> => {
    const barriers = describeViolations(await findViolations(page));
    const overflow = await measureOverflow(page);
    expect({ barriers, overflow }).toEqual({ barriers: [], overflow: 0 });
  };

  const readKept = (tab: Page) => tab.evaluate("sessionStorage.getItem('registry-token')");

  it('signs in on the current view for all tabs, and out of all', async () => {
    const place = '#/queue/npm/left-pad/1.3.0?search=left';
    const console = await openConsole(browser, registry, place);
    await console.waitFor('.decision-bar', 'Sign in to decide');
    const before = await openTab(console, '#/packages');
    await waitForWho(before, 'Sign in');
    await console.page.bringToFront();

    await console.page.click('.decision-bar button.plain');
    await console.waitFor('dialog .sheet', 'Your token');
    expect(await console.page.evaluate('document.activeElement.name')).toBe('token');
    await console.page.keyboard.type(tokens.alice);
    await console.press('Enter');

    await console.waitFor('.signed-in-user', 'alice');
    await console.page.waitForSelector('dialog', { hidden: true });
    expect(await console.page.evaluate('location.hash')).toBe(place);
    await waitForWho(before, 'alice');
    const after = await openTab(console, '#/packages');
    await waitForWho(after, 'alice');
    const tabs = [console.page, before, after];
    expect(await Promise.all(tabs.map(readKept))).toEqual(tabs.map(() => tokens.alice));

    await after.goto(`${registry.url}/console#/sign-in`);
    await after.waitForSelector('.sheet button');
    await after.click('.sheet button');
    await Promise.all(tabs.map((tab) => waitForWho(tab, 'Sign in')));
    expect(await Promise.all(tabs.map(readKept))).toEqual(tabs.map(() => null));
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('signs in again after a revocation, with the same view and form', async () => {
    const id = { ecosystem: 'npm', name: 'revoked', version: '1.0.0' };
    await registry.submit(id, { token: tokens.ci });
    const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'high', summary: 'Too much' }];
    const path = '/api/v1/security/scans/revoked';
    await registry.post(path, { tool: 'audit', vulnerabilities }, { token: tokens.ci });
    const place = '#/queue/npm/revoked/1.0.0?search=revoked';
    const console = await openConsole(browser, registry, place, { as: 'alice' });
    await console.waitFor('.vulnerability', 'CVE-2022-1');
    const other = await openTab(console, place);
    await waitForWho(other, 'alice');
    await console.page.bringToFront();
    const refusal = await registry.post(packagePath('revoked', '/approve'), {}, { token: 'gone' });
    let isRevoked = true;
    console.page.on('request', (request) => {
      const isRefused = isRevoked && request.headers()['x-api-key'] !== undefined;
      if (!isRefused) return request.continue();
      const body = JSON.stringify(refusal.body);
      return request.respond({ status: refusal.status, body });
    });
    await console.page.setRequestInterception(true);

    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('We do not parse');
    await console.press('Enter');

    await console.waitFor('.session-end', refusal.body.detail);
    await console.waitFor('.signed-in-user', 'Sign in again');
    await waitForWho(other, 'Sign in again');
    expect(await readKept(console.page)).toBe(null);
    expect(await console.page.evaluate('location.hash')).toBe(place);
    expect(await console.page.$eval('.vulnerability textarea', ({ value }) => value)).toBe(
      'We do not parse',
    );

    await judge(console.page);

    isRevoked = false;
    await console.page.click('.session-end button');
    await console.waitFor('dialog .sheet', 'Your token');
    await judge(console.page);
    await console.page.keyboard.type(tokens.bob);
    await console.press('Enter');
    await console.waitFor('.signed-in-user', 'bob');
    await waitForWho(other, 'bob');
    await console.page.click('.vulnerability .primary');
    await console.waitFor('.vulnerability.quiet', 'We do not parse');
    await console.close();
  });

  it('keeps the reason of a decision after a refused token', async () => {
    const id = { ecosystem: 'npm', name: 'reasoned', version: '1.0.0' };
    await registry.submit(id, { token: tokens.ci });
    const place = '#/queue/npm/reasoned/1.0.0?search=reasoned';
    const console = await openConsole(browser, registry, place, { as: 'alice' });
    await console.waitForEvidence('reasoned');
    const refusal = await registry.post(packagePath('reasoned', '/reject'), {}, { token: 'gone' });
    let isRevoked = true;
    console.page.on('request', (request) => {
      const isRefused = isRevoked && request.headers()['x-api-key'] !== undefined;
      if (!isRefused) return request.continue();
      return request.respond({ status: refusal.status, body: JSON.stringify(refusal.body) });
    });
    await console.page.setRequestInterception(true);
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject');
    await console.page.keyboard.type('Not maintained');
    await console.press('Enter');
    await console.waitFor('.session-end', 'Your session has ended');

    isRevoked = false;
    await console.page.click('.session-end button');
    await console.waitFor('dialog .sheet', 'Your token');
    await console.page.keyboard.type(tokens.bob);
    await console.press('Enter');
    await console.waitFor('.signed-in-user', 'bob');
    await console.page.click('.decision-form .primary');

    await console.waitFor('.decision-summary', 'rejected');
    expect((await registry.get(packagePath('reasoned'))).body).toMatchObject({
      ...{ status: 'rejected', reason: 'Not maintained', rejected_by: 'bob' },
    });
    await console.close();
  });

  it('stays signed out in a tab that was still taking over the session', async () => {
    const console = await openConsole(browser, registry, '#/sign-in', { as: 'alice' });
    await console.waitFor('.signed-in-user', 'alice');
    const other = await openTab(console, '#/sign-in');
    const held: HTTPRequest[] = [];
    let isHolding = true;
    await other.goto('about:blank');
    other.on('request', (request) => {
      if (isHolding && request.url().endsWith('/api/v1/whoami')) held.push(request);
      else request.continue();
    });
    await other.setRequestInterception(true);
    await other.goto(`${registry.url}/console#/sign-in`);
    await expect.poll(() => held.length).toBeGreaterThan(0);

    await console.page.bringToFront();
    await console.page.click('.sheet button');
    await console.waitFor('.signed-in-user', 'Sign in');
    const answered = other.waitForResponse((response) => response.url().endsWith('/whoami'));
    isHolding = false;
    for (const request of held) await request.continue();
    await (await answered).json();
    // The page takes the answer before this.
    await other.evaluate("fetch('/api/v1/whoami').then(() => {})");

    await waitForWho(other, 'Sign in');
    expect(await Promise.all([console.page, other].map(readKept))).toEqual([null, null]);
    await waitForWho(console.page, 'Sign in');
    await console.close();
  });

  it('sees their label after the registry is reachable', async () => {
    let isAway = true;
    const console = await openConsole(browser, registry, '#/sign-in', {
      as: 'alice',
      prepare: async (page) => {
        page.on('request', (request) =>
          isAway && request.url().includes('/api/v1/') ? request.abort() : request.continue(),
        );
        await page.setRequestInterception(true);
      },
    });
    await console.waitFor('.connection-notice', 'The registry cannot be reached');
    await console.waitFor('.signed-in-user', 'Sign in');

    isAway = false;

    await console.waitFor('.signed-in-user', 'alice');
    await console.close();
  });

  it('opens a view offline, which loads when the registry is reachable', async () => {
    const console = await openConsole(browser, registry, '#/queue', { as: 'alice' });
    await console.waitFor('.decision-summary', 'pending');

    await console.page.setOfflineMode(true);
    await console.page.evaluate("location.hash = '#/check'");
    await console.waitFor('.empty', 'This view could not be loaded');
    await console.waitFor('.connection-notice', 'The registry cannot be reached');
    await console.page.setOfflineMode(false);

    await console.waitFor('.drop', 'Drop lockfiles');
    await console.close();
  });

  it('opens a version offline, which loads when the registry is reachable', async () => {
    const console = await openConsole(browser, registry, '#/queue', { as: 'alice' });
    await console.waitFor('.decision-summary', 'Submitted');

    await console.page.setOfflineMode(true);
    await console.page.evaluate("location.hash = '#/packages/npm/left-pad/1.3.0'");
    await console.waitFor('.evidence [role=alert], .list [role=alert]', 'cannot be reached');
    await console.waitFor('.connection-notice', 'The registry cannot be reached');
    await console.page.setOfflineMode(false);

    await console.waitFor('.decision-summary', 'Submitted');
    await console.waitFor('.history', 'submitted');
    await console.page.waitForSelector('[role=alert]', { hidden: true });
    await console.close();
  });
});
