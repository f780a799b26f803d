import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { TestRegistry } from '../support/registry.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

describe('who reviews', () => {
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

  it('reads everything without a token, and is led to sign in', async () => {
    const console = await openConsole(browser, registry, '');

    await console.waitFor('tr[data-key]', 'left-pad');
    await console.waitFor('.standing', 'pending');
    await console.page.click('.who');

    await console.waitFor('.sheet', 'Your token');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('is told by the registry that a token is wrong', async () => {
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

  it('keeps a token in this window alone, and sends it only where one is needed', async () => {
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
    await console.waitFor('.who', 'alice, may submit and review');
    await console.page.goto(`${registry.url}/console#/queue`);
    await console.page.reload();
    await console.waitFor('.who', 'alice');
    await console.waitFor('.standing', 'pending');

    const kept = (await console.page.evaluate(
      '({ session: { ...sessionStorage }, local: { ...localStorage }, cookies: document.cookie, html: document.documentElement.outerHTML })',
    )) as Record<'session' | 'local' | 'cookies' | 'html', unknown>;
    expect(kept.session).toEqual({ 'registry-token': tokens.alice });
    expect(JSON.stringify([kept.local, kept.cookies, kept.html])).not.toContain(tokens.alice);
    expect(await console.page.browserContext().cookies()).toEqual([]);
    expect(addresses.join()).not.toContain(tokens.alice);
    expect(new Set(carrying)).toEqual(new Set(['/api/v1/whoami']));
    expect(addresses.every((address) => address.startsWith(registry.url))).toBe(true);

    await console.page.click('.who');
    await console.waitFor('.sheet', 'Sign out');
    await console.page.click('.sheet button');
    await console.waitFor('.sheet', 'Your token');
    expect(await console.page.evaluate('sessionStorage.length')).toBe(0);
    await console.close();
  });

  it('needs no token where the registry has none', async () => {
    const console = await openConsole(browser, open, '#/queue');
    await console.waitFor('.who', 'everyone may decide');
    await console.waitFor('.decision-bar', 'Approve');

    await console.page.click('.decision-bar .primary');

    await console.waitFor('.standing', 'approved');
    await console.close();
  });

  it('is told that the registry cannot be reached, and goes on when it can', async () => {
    const console = await openConsole(browser, registry, '#/queue', { as: 'alice' });
    await console.press('j');
    await console.waitForEvidence('left-pad');

    await console.page.setOfflineMode(true);
    await console.waitFor('.silence', 'The registry cannot be reached');
    await console.press('a');
    await console.waitFor('tr[data-key] .standing-cell', 'no answer; checking');
    await console.page.setOfflineMode(false);

    await console.page.waitForSelector('.silence', { hidden: true });
    await console.waitFor('tr[data-key] .standing-cell', 'not sent');
    await console.page.click('.decision-bar .matter button');
    await console.waitFor('tr[data-key] .standing-cell', 'approved');
    await console.close();
  });

  it('sends a link to a package, which shows it to whoever opens it', async () => {
    const sent = await openConsole(browser, registry, '#/packages');
    await sent.waitFor('tr[data-key]', 'left-pad');
    const address = await sent.page.$eval('tr[data-key] a', ({ hash }) => hash);
    await sent.close();

    const console = await openConsole(browser, registry, address, { width: 320 });

    await console.waitFor('.evidence h2', 'left-pad 1.3.0');
    // Beside nothing else, with a way back.
    expect(await console.page.$eval('.list', ({ offsetParent }) => offsetParent === null)).toBe(
      true,
    );
    await console.page.click('.back');
    await console.page.waitForSelector('tr[data-key]', { visible: true });
    await console.close();
  });

  it('is led to the console by the root, and programs are not', async () => {
    const page = await browser.newPage();
    await page.goto(`${registry.url}/`);

    expect(page.url()).toMatch(`${registry.url}/console`);
    expect((await registry.get('/')).body.links.console).toBe(`${registry.url}/console`);
    await page.close();
  });
});
