import type { Browser, BrowserContext, Page } from 'puppeteer-core';
import { onTestFailed } from 'vitest';
import type { TestRegistry } from '../support/registry.ts';
import { type Complaints, openPage, type Theme, watchComplaints } from '../support/watched-page.ts';

/** Who may do what in a registry that these tests start. */
export const tokens = {
  alice: 'alices-token-of-more-than-thirty-two-characters',
  bob: 'bobs-token-of-more-than-thirty-two-characters',
  ci: 'the-token-of-builds-of-more-than-thirty-two-characters',
  unlabelled: 'a-token-without-a-label-of-more-than-thirty-two-characters',
  alsoUnlabelled: 'another-token-without-a-label-of-more-than-thirty-two-characters',
} as const;

const labelled = `alice:${tokens.alice},bob/review:${tokens.bob},ci/submit:${tokens.ci}`;
export const tokenList = `${labelled},${tokens.unlabelled},${tokens.alsoUnlabelled}`;

/** Ends the 5 seconds of an undo only on demand: a slow machine takes longer for the next key. */
const ownClock = `
  const waiting = [];
  const begin = globalThis.setTimeout;
  globalThis.setTimeout = (work, ms, ...rest) =>
    ms === 5000 ? -waiting.push(work) : begin(work, ms, ...rest);
  globalThis.passFiveSeconds = () => { for (const work of waiting.splice(0)) work(); };
`;

interface OpenOptions {
  readonly theme?: Theme;
  readonly width?: number;
  /** Who is signed in; absent: nobody. */
  readonly as?: keyof typeof tokens;
  /** Whether decisions wait for an undo, until `passFiveSeconds()` or the end of the view; they are sent at once, unless given. */
  readonly undo?: boolean;
  /** Changes the page before it is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** The console in a window of its own. */
export interface OpenedConsole {
  readonly page: Page;
  readonly complaints: Complaints;
  /** Waits until an element shows a text. */
  readonly waitFor: (selector: string, text: string) => Promise<void>;
  /** Waits until the evidence of the version is on the screen, or of the row that keys are about. */
  readonly waitForEvidence: (name?: string) => Promise<void>;
  readonly read: (selector: string) => Promise<string>;
  /** Presses keys one after the other. */
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

type Key = Parameters<Page['keyboard']['press']>[0];

/** Prints what the page shows if the test fails, as the error of a wait says only what is missing. */
const printIfFailed = (page: Page, complaints: Complaints): void =>
  onTestFailed(async () => {
    const shown = page.isClosed() ? 'nothing' : await page.evaluate('document.body.innerText');
    const complained = complaints.join('\n');
    console.error(`${page.url()} shows:\n${shown}\nIt reported:\n${complained}`);
  });

/** The rest of an address, from `#` on. */
const openIn = async (
  context: BrowserContext,
  { url }: TestRegistry,
  hash: string,
  { as, undo = false, prepare, ...looks }: OpenOptions,
): Promise<OpenedConsole> => {
  const page = await openPage(context, looks);
  const complaints = await watchComplaints(page);
  printIfFailed(page, complaints);
  if (as) {
    const kept = JSON.stringify(tokens[as]);
    await page.evaluateOnNewDocument(`sessionStorage.setItem('registry-token', ${kept})`);
  }
  await page.evaluateOnNewDocument(
    undo
      ? ownClock
      : "if (location.protocol !== 'about:') localStorage.setItem('registry-undo', 'off')",
  );
  await prepare?.(page);
  await page.goto(`${url}/console${hash}`);
  await page.waitForSelector('nav a[aria-current], .sheet, .empty, .page');
  // A list that comes after the package beside it would change what the next key does.
  const hasList = /^#\/(queue|attention|packages)/.test(hash);
  if (hasList) await page.waitForSelector('.list-body[aria-busy=false]');
  const waitFor = async (selector: string, text: string): Promise<void> => {
    const [quotedSelector, quotedText] = [selector, text].map((part) => JSON.stringify(part));
    await page.waitForFunction(
      `[...document.querySelectorAll(${quotedSelector})].some((one) => one.textContent.includes(${quotedText}))`,
    );
  };
  return {
    page,
    complaints,
    waitFor,
    waitForEvidence: async (name) => {
      const wanted =
        name === undefined
          ? "document.querySelector('tr.current .name')?.textContent"
          : JSON.stringify(name);
      await page.waitForFunction(
        `document.querySelector('.evidence:has(.decision-bar) h2 bdi')?.textContent === ${wanted}`,
      );
      // The buttons are disabled until the registry has named the user.
      if (as) await page.waitForSelector('a.signed-in-user');
    },
    read: (selector) => page.$eval(selector, ({ textContent }) => textContent ?? ''),
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key as Key);
    },
    close: () => context.close(),
  };
};

/** Opens the console at an address, which shares nothing with others that are open. */
export const openConsole = async (
  browser: Browser,
  registry: TestRegistry,
  hash: string,
  options: OpenOptions = {},
): Promise<OpenedConsole> => openIn(await browser.createBrowserContext(), registry, hash, options);
