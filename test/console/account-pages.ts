import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { TestProvider } from '../support/oidc-provider.ts';
import { TestRegistry } from '../support/registry.ts';
import { trustIssuers } from '../support/trusted-issuers.ts';
import { type OpenedConsole, tokenList } from './open-console.ts';

/** The button that leaves for the provider. */
export const accountButton = '.sheet button::-p-text(Sign in with your company account)';

/** Starts a registry that accepts accounts of the provider, and tokens. No CI job can sign in. */
export const startAccountRegistry = ({ url }: TestProvider): Promise<TestRegistry> =>
  TestRegistry.start({
    ...{ tokens: tokenList, events: true },
    issuers: trustIssuers(url, 'http://127.0.0.1:9'),
  });

/** Enters a login name on the pages of the provider, and consents. */
export const signInAtProvider = async (page: Page, login = 'ana'): Promise<void> => {
  await page.waitForSelector('input[name=login]');
  await page.type('input[name=login]', login);
  await page.type('input[name=password]', 'any');
  await page.click('button[type=submit]');
  await page.waitForSelector('input[name=prompt][value=consent]');
  await page.click('button[type=submit]');
};

/** Signs in on the view of the session, and waits until the console shows the user. */
export const signInByAccount = async (
  { page, waitFor }: OpenedConsole,
  login = 'ana',
): Promise<void> => {
  await page.waitForSelector(accountButton);
  await page.click(accountButton);
  await signInAtProvider(page, login);
  await waitFor('.signed-in-user', `${login}@example.com`);
};

/** Returns the errors of the console. The pages of the provider ask for fonts at a host that this machine may not reach. */
export const listOwnComplaints = ({ complaints }: OpenedConsole): string[] =>
  complaints.filter((one) => !one.includes('ERR_NAME_NOT_RESOLVED'));

/** The part of an account in the browser's storage that tests compare. */
interface StoredAccount {
  readonly idToken: string;
  readonly refreshToken: string | null;
}

/** Returns the account that a tab has stored; null without one. */
export const readAccount = async (page: Page): Promise<StoredAccount | null> =>
  JSON.parse(
    (await page.evaluate(
      "sessionStorage.getItem('registry-account ' + location.href.replace(/\\/console.*/, '')) ?? 'null'",
    )) as string,
  );

/** Waits until a tab has stored other tokens than these. A background tab renders nothing. */
export const waitForRenewal = async (page: Page, before: StoredAccount | null): Promise<void> => {
  const idToken = JSON.stringify(before?.idToken ?? '');
  await page.waitForFunction(
    `Object.values(sessionStorage).some((one) => one.includes('idToken') && !one.includes(${idToken}))`,
    { polling: 100 },
  );
};

/** A folder for images of the page, for people to look at. Without it, no images are made. */
const imageFolder = process.env['CONSOLE_IMAGES'];

/** Writes an image of the page. */
export const writeImage = async (page: Page, name: string): Promise<void> => {
  if (imageFolder === undefined) return;
  mkdirSync(imageFolder, { recursive: true });
  writeFileSync(join(imageFolder, `${name}.png`), await page.screenshot());
};
