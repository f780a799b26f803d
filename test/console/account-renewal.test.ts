import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { hangMs } from '../support/hang.ts';
import { providerClientId, startProvider, type TestProvider } from '../support/oidc-provider.ts';
import type { TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  themes,
} from '../support/watched-page.ts';
import {
  accountButton,
  listOwnComplaints,
  readAccount,
  signInByAccount,
  startAccountRegistry,
  waitForRenewal,
  writeImage,
} from './account-pages.ts';
import { type OpenedConsole, openConsole } from './open-console.ts';

/** The console renews these tokens after three seconds, a quarter of their lifetime. */
const idTokenSeconds = 12;

describe('a sign-in by account that expires', () => {
  let provider: TestProvider;
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    provider = await startProvider({ idTokenSeconds });
    [registry, browser] = await Promise.all([startAccountRegistry(provider), startBrowser()]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close(), provider?.close()]));

  const openSignedIn = async (options: Parameters<typeof openConsole>[3] = {}) => {
    const console = await openConsole(browser, registry, '#/sign-in', options);
    await signInByAccount(console);
    return console;
  };

  /** Another tab of the same browser, in front of it. */
  const openTab = async (
    { page }: OpenedConsole,
    prepare?: (tab: Page) => Promise<unknown>,
  ): Promise<Page> => {
    const tab = await page.browserContext().newPage();
    tab.setDefaultTimeout(hangMs);
    await prepare?.(tab);
    await tab.goto(`${registry.url}/console#/sign-in`);
    await tab.waitForSelector('a.signed-in-user');
    return tab;
  };

  /** Has other answers sent in place of the provider's answers with tokens; its own one without another. */
  const answerTokens = async (
    page: Page,
    answer: (
      request: HTTPRequest,
    ) => Promise<{ readonly status: number; readonly body: object } | undefined>,
  ): Promise<void> => {
    page.on('request', async (request) => {
      const isOther = request.url() !== `${provider.url}/token`;
      const answered = isOther ? undefined : await answer(request);
      if (!answered) return request.continue();
      const { status, body } = answered;
      const headers = { 'access-control-allow-origin': registry.url };
      return request.respond({
        ...{ status, headers, contentType: 'application/json', body: JSON.stringify(body) },
      });
    });
    await page.setRequestInterception(true);
  };

  const revoke = (token: string | null | undefined) =>
    fetch(`${provider.url}/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: providerClientId, token: token ?? '' }),
    });

  it('is renewed in one tab, for all tabs, and shows the new expiry', async () => {
    const console = await openSignedIn();
    const expiry = await console.page.$eval('.sheet time', (time) => time.getAttribute('datetime'));
    const other = await openTab(console);
    const count = () => provider.requests.filter((path) => path === '/token').length;
    // Right after a renewal, the next one is seconds away.
    await waitForRenewal(other, await readAccount(other));
    const [first, before] = [await readAccount(other), count()];

    await waitForRenewal(other, first);
    await waitForRenewal(console.page, first);

    expect(count()).toBe(before + 1);
    const second = await readAccount(console.page);
    expect(second).toEqual(await readAccount(other));
    expect(second?.refreshToken).not.toBe(first?.refreshToken);
    await console.page.bringToFront();
    await console.page.waitForFunction(
      `document.querySelector('.sheet time').getAttribute('datetime') !== '${expiry}'`,
    );
    await waitForRenewal(console.page, second);
    await waitForRenewal(other, second);
    await console.waitFor('.signed-in-user', 'ana@example.com, may submit and review');
    expect(listOwnComplaints(console)).toEqual([]);
    await console.close();
  });

  it('is renewed once for two windows that are visible', async () => {
    const console = await openSignedIn();
    const showAlways = async (page: Page): Promise<void> => {
      const session = await page.createCDPSession();
      await session.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    };
    await showAlways(console.page);
    const other = await openTab(console, showAlways);
    const windows = [console.page, other];
    // A second use of a refresh token would end the sign-in: the provider revokes its grant.
    for (let round = 0; round < 3; round += 1) {
      const account = await readAccount(other);
      await Promise.all(windows.map((page) => waitForRenewal(page, account)));
    }

    expect(await readAccount(console.page)).toEqual(await readAccount(other));
    for (const page of windows) {
      expect(await page.evaluate('document.visibilityState')).toBe('visible');
      expect(await page.$('a.signed-in-user')).not.toBe(null);
    }
    await console.close();
  });

  it('is renewed before the request that needs it, after a reload', async () => {
    const console = await openSignedIn();
    const first = await readAccount(console.page);
    // As after a night: the tokens of the closed page have expired.
    await console.page.evaluate(`
      for (const key of Object.keys(sessionStorage)) {
        const kept = { ...JSON.parse(sessionStorage.getItem(key)), expiresAt: 0 };
        addEventListener('pagehide', () => sessionStorage.setItem(key, JSON.stringify(kept)));
      }
    `);
    await console.page.reload();

    await console.waitFor('.signed-in-user', 'ana@example.com');

    expect((await readAccount(console.page))?.refreshToken).not.toBe(first?.refreshToken);
    expect(listOwnComplaints(console)).toEqual([]);
    await console.close();
  });

  it.each(themes)('ends after the provider refuses to renew it: %s', async (theme) => {
    const console = await openSignedIn({ theme });
    await console.page.evaluate("location.hash = '#/packages'");
    await revoke((await readAccount(console.page))?.refreshToken);

    await console.waitFor('.session-end', `${provider.url} no longer renews your sign-in.`);

    await console.waitFor('.signed-in-user', 'Sign in again');
    expect(await readAccount(console.page)).toBe(null);
    await writeImage(console.page, `account-ended-${theme}`);
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(await measureOverflow(console.page)).toBe(0);
    await console.page.click('.session-end button');
    await console.waitFor('dialog .sheet', 'Text that you typed into forms is not kept.');
    await writeImage(console.page, `account-again-${theme}`);
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    await console.page.click(`dialog ${accountButton}`);
    // The revocation ended the consent, too.
    await console.page.waitForSelector('input[name=prompt][value=consent]');
    await console.page.click('button[type=submit]');
    await console.waitFor('a.signed-in-user', 'ana@example.com');
    expect(await console.page.evaluate('location.hash')).toBe('#/packages');
    await console.close();
  });

  it('takes the tokens of another tab after the provider refuses those of this one', async () => {
    const renewed = Promise.withResolvers<void>();
    let refused = 0;
    const console = await openSignedIn({
      prepare: async (page) => {
        // As in a page that the browser has stopped: it gets no tokens from other tabs, and its lock does not last.
        await page.evaluateOnNewDocument(`
          globalThis.isDeaf = true;
          const { set } = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, 'onmessage');
          Object.defineProperty(BroadcastChannel.prototype, 'onmessage', {
            set(handle) {
              set.call(this, (event) => isDeaf && event.data.kind === 'account' || handle(event));
            },
          });
          if (navigator.locks) navigator.locks.request = (name, options, act) => act({});
        `);
        await answerTokens(page, async (request) => {
          if (!request.postData()?.includes('grant_type=refresh_token')) return undefined;
          await renewed.promise;
          refused += 1;
          await page.evaluate('isDeaf = false');
          return { status: 400, body: { error: 'invalid_grant' } };
        });
      },
    });
    const first = await readAccount(console.page);
    const other = await openTab(console);
    await waitForRenewal(other, first);
    expect(await readAccount(console.page)).toEqual(first);

    renewed.resolve();
    await console.page.bringToFront();

    await waitForRenewal(console.page, first);
    expect(refused).toBe(1);
    await console.waitFor('a.signed-in-user', 'ana@example.com');
    await console.close();
  });

  it('ends at its expiry without a refresh token', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    await answerTokens(console.page, async (request) => {
      const { method, headers, body } = {
        ...{ method: 'POST', headers: request.headers(), body: request.postData() ?? '' },
      };
      const response = await fetch(request.url(), { method, headers, body });
      const { refresh_token: _, ...rest } = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body: rest };
    });
    await signInByAccount(console);
    await console.waitFor('.sheet', 'sign in again then');

    await console.waitFor('.session-end', 'Your sign-in has expired. Sign in again.');

    await console.waitFor('.signed-in-user', 'Sign in again');
    expect(await readAccount(console.page)).toBe(null);
    await console.close();
  });

  it('keeps trying while the provider is down, and ends at its expiry', async () => {
    const console = await openSignedIn();
    const first = await readAccount(console.page);
    let isDown = true;
    let tried = 0;
    console.page.on('request', (request) => {
      if (!isDown || !request.url().startsWith(provider.url)) return request.continue();
      tried += 1;
      return request.abort();
    });
    await console.page.setRequestInterception(true);
    await expect.poll(() => tried, { timeout: hangMs }).toBeGreaterThan(1);
    await console.waitFor('a.signed-in-user', 'ana@example.com');
    isDown = false;
    await waitForRenewal(console.page, first);

    isDown = true;

    await console.waitFor(
      '.session-end',
      `${provider.url} cannot be reached, so your sign-in could not be renewed.`,
    );
    expect(await readAccount(console.page)).toBe(null);
    await console.close();
  });
});
