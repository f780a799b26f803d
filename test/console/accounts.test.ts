import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { hangMs } from '../support/hang.ts';
import { providerClientId, startProvider, type TestProvider } from '../support/oidc-provider.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
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
  signInAtProvider,
  signInByAccount,
  startAccountRegistry,
  writeImage,
} from './account-pages.ts';
import { type OpenedConsole, openConsole, tokens } from './open-console.ts';

describe('a reviewer with an account of the company', () => {
  let provider: TestProvider;
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    provider = await startProvider();
    [registry, browser] = await Promise.all([startAccountRegistry(provider), startBrowser()]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close(), provider?.close()]));

  const submit = (name: string) =>
    registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token: tokens.ci });

  const readUrl = (page: Page) => page.evaluate('location.href');

  /** Another tab of the same browser. */
  const openTab = async ({ page }: OpenedConsole, hash: string): Promise<Page> => {
    const tab = await page.browserContext().newPage();
    tab.setDefaultTimeout(hangMs);
    await tab.goto(`${registry.url}/console${hash}`);
    return tab;
  };

  /** Waits for the name of the user in a tab, which may be in the background. */
  const waitForUser = (tab: Page, text: string) =>
    tab.waitForFunction(
      `document.querySelector('.signed-in-user')?.textContent.includes('${text}')`,
      { polling: 'mutation' },
    );

  it('signs in from a package, returns to it, and approves it', async () => {
    await submit('left-pad');
    const place = '#/packages/npm/left-pad/1.0.0?search=left';
    const console = await openConsole(browser, registry, place);
    await console.waitFor('.decision-bar', 'Sign in to decide');
    await console.page.click('.decision-bar button.plain');
    await console.page.waitForSelector(accountButton);
    expect(await console.page.evaluate('document.activeElement.textContent')).toBe(
      'Sign in with your company account',
    );

    await console.press('Enter');
    await signInAtProvider(console.page);

    await console.waitFor('.signed-in-user', 'ana@example.com, may submit and review');
    expect(await readUrl(console.page)).toBe(`${registry.url}/console${place}`);
    await console.page.click('.decision-bar .primary');
    await console.waitFor('.decision-summary', 'approved');
    expect(await console.read('.decision-summary')).toContain('by ana@example.com');
    expect((await registry.get(packagePath('left-pad'))).body).toMatchObject({
      ...{ status: 'approved', approved_by: 'ana@example.com' },
    });
    expect(listOwnComplaints(console)).toEqual([]);
    await console.close();
  });

  it('sees the issuer and the expiry, and keeps the session in this window over a reload', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    const addresses: string[] = [];
    console.page.on('request', (request) => addresses.push(request.url()));
    await signInByAccount(console);

    await console.waitFor('.sheet', `Account of${provider.url}`);
    await console.waitFor('.sheet', 'renewed before that while you use the console');
    await console.page.reload();
    await console.waitFor('.signed-in-user', 'ana@example.com');

    const account = await readAccount(console.page);
    expect(account?.refreshToken).toEqual(expect.any(String));
    expect(await console.page.evaluate('Object.keys(sessionStorage)')).toEqual([
      `registry-account ${registry.url}`,
    ]);
    const elsewhere = await console.page.evaluate(
      '[JSON.stringify(localStorage), document.cookie, document.documentElement.outerHTML].join()',
    );
    for (const secret of [account?.idToken, account?.refreshToken]) {
      expect([elsewhere, ...addresses].join()).not.toContain(secret);
    }
    await console.close();
  });

  it('cannot review as somebody without the group, and reads why', async () => {
    await submit('for-others');
    const console = await openConsole(browser, registry, '#/sign-in');
    await signInByAccount(console, 'bo');

    await console.page.goto(`${registry.url}/console#/packages/npm/for-others/1.0.0`);

    await console.waitFor('.decision-bar', 'Your account cannot review.');
    await console.close();
  });

  it('shares the session with all tabs, and signs out of all', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    const before = await openTab(console, '#/packages');
    await waitForUser(before, 'Sign in');
    await console.page.bringToFront();
    await signInByAccount(console);
    await waitForUser(before, 'ana');
    const after = await openTab(console, '#/sign-in');
    await waitForUser(after, 'ana');
    const tabs = [console.page, before, after];
    const account = await readAccount(console.page);
    expect(await Promise.all(tabs.map(readAccount))).toEqual(tabs.map(() => account));

    await after.waitForSelector('.sheet button');
    await after.click('.sheet button');

    await Promise.all(tabs.map((tab) => waitForUser(tab, 'Sign in')));
    expect(await Promise.all(tabs.map(readAccount))).toEqual(tabs.map(() => null));
    // The refresh token is of no use to anybody any more.
    await expect
      .poll(async () => {
        const response = await fetch(`${provider.url}/token`, {
          method: 'POST',
          body: new URLSearchParams({
            ...{ grant_type: 'refresh_token', client_id: providerClientId },
            refresh_token: account?.refreshToken ?? '',
          }),
        });
        return response.json();
      })
      .toMatchObject({ error: 'invalid_grant' });
    expect(provider.requests).toContain('/token/revocation');
    expect(listOwnComplaints(console)).toEqual([]);
    await console.close();
  });

  it('has a decision sent as the user who made it, also after a sign-out', async () => {
    await submit('held');
    const console = await openConsole(browser, registry, '#/sign-in', { undo: true });
    await signInByAccount(console);
    await console.page.evaluate("location.hash = '#/packages/npm/held/1.0.0'");
    await console.waitForEvidence('held');
    await console.page.waitForSelector('.decision-bar .primary:enabled');
    await console.page.click('.decision-bar .primary');
    await console.waitFor('.notice', 'npm:held@1.0.0 will be approved');
    const other = await openTab(console, '#/sign-in');
    await waitForUser(other, 'ana');
    await other.waitForSelector('.sheet button');
    await other.click('.sheet button');
    await waitForUser(console.page, 'Sign in');

    await console.page.evaluate('passFiveSeconds()');

    await console.page.bringToFront();
    await console.waitFor('.decision-summary', 'approved');
    expect(await console.read('.decision-summary')).toContain('by ana@example.com');
    await console.close();
  });

  it('reads why the provider refused, and can try again', async () => {
    const console = await openConsole(browser, registry, '#/packages');
    await console.page.click('.signed-in-user');
    await console.page.waitForSelector(accountButton);
    await console.page.click(accountButton);
    await console.page.waitForSelector('a[href$="/abort"]');

    await console.page.click('a[href$="/abort"]');

    await console.waitFor(
      'dialog [role=alert]',
      `${provider.url} did not sign you in: End-User aborted interaction.`,
    );
    expect(await readUrl(console.page)).toBe(`${registry.url}/console#/packages`);
    await console.page.click(accountButton);
    await signInAtProvider(console.page);
    await console.waitFor('.signed-in-user', 'ana@example.com');
    expect(listOwnComplaints(console)).toEqual([]);
    await console.close();
  });

  /** Begins a sign-in, and returns its state. */
  const beginSignIn = async (console: OpenedConsole): Promise<string> => {
    await console.page.waitForSelector(accountButton);
    await console.page.click(accountButton);
    await console.page.waitForSelector('input[name=login]');
    await console.page.goto(`${registry.url}/console#/packages`);
    const [key = ''] = (await console.page.evaluate('Object.keys(sessionStorage)')) as string[];
    return key.replace('registry-sign-in ', '');
  };

  it('reads the reason of a refusal as text', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    const markup = '<img src=x onerror="complain(1)"><b>bold</b>\u202e';
    const state = await beginSignIn(console);
    const answer = new URLSearchParams({ state, error: 'x', error_description: markup });

    await console.page.goto(`${registry.url}/console?${answer}`);

    await console.waitFor(
      '.sheet [role=alert]',
      '<img src=x onerror="complain(1)"><b>bold</b>⟨U+202E⟩',
    );
    expect(await console.page.$$('img, .sheet b')).toEqual([]);
    expect(await readUrl(console.page)).toBe(`${registry.url}/console#/sign-in`);
    expect(listOwnComplaints(console)).toEqual([]);
    await console.close();
  });

  it.each([
    ['a code', { code: 'x', state: 'of-somebody-else' }],
    ['a code without a state', { code: 'x' }],
    ['an error', { error: 'x', error_description: 'Call 555', state: 'of-somebody-else' }],
  ])('ignores %s of a sign-in that did not begin in this window', async (_, answer) => {
    const console = await openConsole(browser, registry, '#/packages', { as: 'alice' });
    const asked = provider.requests.length;

    await console.page.goto(`${registry.url}/console?${new URLSearchParams(answer)}#/packages`);

    await console.waitFor('dialog [role=alert]', 'This sign-in did not begin in this window.');
    await console.waitFor('.signed-in-user', 'alice');
    expect(await console.read('body')).not.toContain('Call 555');
    expect(await readUrl(console.page)).toBe(`${registry.url}/console#/packages`);
    expect(provider.requests).toHaveLength(asked);
    await console.close();
  });

  it('takes an answer once', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    const state = await beginSignIn(console);
    const answer = new URLSearchParams({ code: 'of-nobody', state, iss: provider.url });

    await console.page.goto(`${registry.url}/console?${answer}`);
    await console.waitFor(
      '.sheet [role=alert]',
      `${provider.url} did not sign you in: grant request is invalid.`,
    );
    await console.page.goto(`${registry.url}/console?${answer}`);

    await console.waitFor('dialog [role=alert]', 'This sign-in did not begin in this window.');
    await console.close();
  });

  it('signs in with a token beside it', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    await console.page.waitForSelector(accountButton);

    await console.page.type('input[name=token]', tokens.alice);
    await console.press('Enter');

    await console.waitFor('.signed-in-user', 'alice, may submit and review');
    await console.waitFor('.sheet', 'beginning of its SHA-256');
    expect(await console.page.evaluate('({ ...sessionStorage })')).toEqual({
      'registry-token': tokens.alice,
    });
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('reads that the sign-in of the company cannot be reached', async () => {
    const console = await openConsole(browser, registry, '#/sign-in', {
      prepare: async (page) => {
        page.on('request', (request) =>
          request.url().startsWith(provider.url) ? request.abort() : request.continue(),
        );
        await page.setRequestInterception(true);
      },
    });
    await console.page.waitForSelector(accountButton);

    await console.page.click(accountButton);

    await console.waitFor('.sheet [role=alert]', `${provider.url} cannot be reached`);
    await console.page.waitForSelector(accountButton);
    await console.close();
  });

  it.each(themes)('meets no barrier on the way: %s', async (theme) => {
    const console = await openConsole(browser, registry, '#/packages', { theme });
    const { page } = console;
    const judge = async (name: string): Promise<void> => {
      for (const width of [1280, 320]) {
        await page.setViewport({ width, height: 800 });
        await writeImage(page, `account-${name}-${theme}-${width}`);
        const barriers = describeViolations(await findViolations(page));
        const overflow = [
          await measureOverflow(page),
          ...(await page.$$eval('dialog', (all) =>
            all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
          )),
        ];
        expect({ barriers, overflow: Math.max(...overflow.map(Number)) }, name).toEqual({
          ...{ barriers: [], overflow: 0 },
        });
      }
      await page.setViewport({ width: 1280, height: 800 });
    };
    await page.click('.signed-in-user');
    await page.waitForSelector(accountButton);
    await judge('dialog');
    await page.click(accountButton);
    await page.waitForSelector('a[href$="/abort"]');
    await page.click('a[href$="/abort"]');
    await console.waitFor('dialog [role=alert]', 'did not sign you in');
    await judge('refused');
    await page.goto('about:blank');
    await page.goto(`${registry.url}/console#/sign-in`);
    await page.waitForSelector(accountButton);
    await judge('form');
    await signInByAccount(console);
    await console.waitFor('.sheet', 'Account of');
    await judge('signed-in');
    expect(listOwnComplaints(console)).toEqual([]);
    await console.close();
  });
});
