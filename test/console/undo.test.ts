import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  type Theme,
  themes,
} from '../support/watched-page.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

/** Hides the unload from a page, as if the browser crashed. */
const suddenEnd = "addEventListener('pagehide', (event) => event.stopImmediatePropagation())";

interface OpenQueueOptions {
  readonly ends?: 'suddenly';
  readonly theme?: Theme;
  readonly as?: keyof typeof tokens;
}

/** Lists the progress texts of decisions that do not fit their column. */
const measureCut = (page: Page): Promise<unknown> =>
  page.evaluate(
    "[...document.querySelectorAll('td.status-cell')].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)",
  );

describe('a decision waits for an undo', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  /** One after the other, so that they wait in this order. */
  const submit = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await registry.submit({ ...version, name }, { token: tokens.ci });
  };

  const scan = (name: string, severity: string) =>
    registry.post(
      `/api/v1/security/scans/${name}`,
      { tool: 'audit', vulnerabilities: [{ id: `CVE-2022-1${severity.length}`, severity }] },
      { token: tokens.ci },
    );

  const find = async (name: string) => (await registry.get(packagePath(name))).body;
  const findStatus = async (name: string): Promise<string> => (await find(name)).status;
  const row = (name: string): string => `tr[data-key="npm/${name}/1.0.0"]`;

  interface Opened extends OpenedConsole {
    /** The Idempotency-Keys of the decisions that the page sent. */
    readonly keys: string[];
    readonly passFiveSeconds: () => Promise<unknown>;
    readonly reload: () => Promise<unknown>;
  }

  /** Opens the queue with the versions of a name prefix, in a window with a controlled clock. */
  const openQueue = async (
    prefix: string,
    last: string,
    { ends, theme = 'light', as = 'alice' }: OpenQueueOptions = {},
  ): Promise<Opened> => {
    const console = await openConsole(browser, registry, '#/sign-in', {
      ...{ as, undo: true, theme },
    });
    const { page } = console;
    const keys: string[] = [];
    page.on('request', (request) => {
      const key = request.headers()['idempotency-key'];
      if (request.url().endsWith('/decisions') && key) keys.push(key);
    });
    if (ends) await page.evaluateOnNewDocument(suddenEnd);
    await page.goto(`${registry.url}/console#/queue?search=${prefix}`);
    await page.reload();
    await console.waitFor(row(last), last);
    return {
      ...console,
      keys,
      passFiveSeconds: () => page.evaluate('passFiveSeconds()'),
      reload: () => page.reload(),
    };
  };

  const approveByKey = async (console: OpenedConsole, name: string): Promise<void> => {
    await console.waitForEvidence(name);
    await console.press('a');
    await console.waitFor('.notice', `npm:${name}@1.0.0 will be approved`);
  };

  const isSelected = (name: string) => `${row(name)}.selected`;

  it('for 5 seconds, and is sent afterwards', async () => {
    await submit('held-a', 'held-b');
    const console = await openQueue('held-', 'held-b');
    await console.press('j');

    await approveByKey(console, 'held-a');

    await console.waitFor(`${row('held-a')} .status-cell`, 'will be approved');
    await console.waitFor('tr.current', 'held-b');
    expect(console.keys).toEqual([]);
    expect(await findStatus('held-a')).toBe('pending');
    const kept = await console.page.evaluate("sessionStorage.getItem('registry-decisions')");
    expect(kept).toContain('held-a');
    expect(kept).not.toContain(tokens.alice);
    await console.passFiveSeconds();
    await console.waitFor(`${row('held-a')} .status-cell`, 'approved');
    await console.page.waitForSelector('.notice', { hidden: true });
    expect(await findStatus('held-a')).toBe('approved');
    expect(console.keys).toHaveLength(1);
    expect(await console.page.evaluate("sessionStorage.getItem('registry-decisions')")).toBe(null);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it.each(themes)(
    'without an accessibility violation on any screen, and without cut text: %s',
    async (theme) => {
      await submit(`seen-${theme}-a`, `seen-${theme}-b`);
      const console = await openQueue(`seen-${theme}`, `seen-${theme}-b`, {
        ends: 'suddenly',
        theme,
      });
      await console.press('j');
      await approveByKey(console, `seen-${theme}-a`);
      const judge = async () => {
        for (const width of [1440, 375, 320]) {
          await console.page.setViewport({ width, height: 800 });
          expect(describeViolations(await findViolations(console.page)), `${width}`).toEqual([]);
          expect(await measureOverflow(console.page), `${width}`).toBe(0);
          expect(await measureCut(console.page), `${width}`).toEqual([]);
        }
        await console.page.setViewport({ width: 1440, height: 800 });
      };

      await judge();
      await console.reload();
      await console.waitFor('.notice', 'is not made yet');
      await console.page.waitForSelector('.notice button:enabled');
      await judge();
      await console.close();
    },
  );

  it('separately for each, and u undoes the newest', async () => {
    await submit('back-a', 'back-b', 'back-c');
    const console = await openQueue('back-', 'back-c');
    await console.press('j');
    await approveByKey(console, 'back-a');
    await approveByKey(console, 'back-b');

    await console.press('u');

    await console.waitFor('.announcement', 'Undone: npm:back-b@1.0.0 was not approved');
    await console.waitFor('tr.current', 'back-b');
    await console.waitFor('.notice', 'npm:back-a@1.0.0 will be approved');
    // By button, too; a sent decision cannot be undone.
    await console.page.click('.notice button');
    await console.waitFor('tr.current', 'back-a');
    await console.press('u');
    await console.waitFor('.announcement', 'Nothing to undo');
    await console.passFiveSeconds();
    expect(console.keys).toEqual([]);
    expect(await findStatus('back-a')).toBe('pending');
    await console.close();
  });

  it('until the view is left', async () => {
    await submit('view-a');
    const console = await openQueue('view-', 'view-a');
    await console.press('j');
    await approveByKey(console, 'view-a');

    await console.page.click('nav a[href="#/overview"]');

    await console.waitFor('.announcement', 'npm:view-a@1.0.0 approved');
    expect(await findStatus('view-a')).toBe('approved');
    await console.close();
  });

  it('until the page is left', async () => {
    await submit('page-a');
    const console = await openQueue('page-', 'page-a');
    await console.press('j');
    await approveByKey(console, 'page-a');

    await console.page.goto('about:blank');

    await expect.poll(() => findStatus('page-a')).toBe('approved');
    // Its answer was lost: the next page looks it up, and shows no message.
    await console.page.goto(`${registry.url}/console#/queue?search=page-`);
    await console.page.waitForFunction("sessionStorage.getItem('registry-decisions') === null");
    await console.close();
  });

  it('and is offered again after the browser ended', async () => {
    await submit('ended-a');
    const console = await openQueue('ended-', 'ended-a', { ends: 'suddenly' });
    await console.press('j');
    await approveByKey(console, 'ended-a');
    const kept = await console.page.evaluate("sessionStorage.getItem('registry-decisions')");

    await console.reload();

    await console.waitFor('.notice', '1 decision is not made yet: npm:ended-a@1.0.0.');
    await console.waitFor(`${row('ended-a')} .status-cell`, 'not made yet');
    expect(await findStatus('ended-a')).toBe('pending');
    await console.page.waitForSelector('.notice button:enabled');
    await console.page.click('.notice button');
    await console.waitFor(`${row('ended-a')} .status-cell`, 'approved');
    expect(await findStatus('ended-a')).toBe('approved');
    expect(kept).toContain(console.keys[0]);
    await console.close();
  });

  it('and a duplicated tab does not offer a sent one', async () => {
    await submit('doubled-a');
    const console = await openQueue('doubled-', 'doubled-a', { ends: 'suddenly' });
    await console.press('j');
    await approveByKey(console, 'doubled-a');
    const kept = await console.page.evaluate("sessionStorage.getItem('registry-decisions')");
    await console.passFiveSeconds();
    await console.waitFor(`${row('doubled-a')} .status-cell`, 'approved');
    await console.page.evaluateOnNewDocument(
      `sessionStorage.setItem('registry-decisions', ${JSON.stringify(kept)})`,
    );

    await console.reload();

    await console.page.waitForFunction("sessionStorage.getItem('registry-decisions') === null");
    expect(await console.page.$('.notice')).toBe(null);
    await console.close();
  });

  it.each([
    { as: 'alice', other: 'bob', sender: 'alice', who: 'bob' },
    { as: 'unlabelled', other: 'alsoUnlabelled', sender: 'token ', who: 'without a label' },
  ] as const)('and is offered to nobody else, who can discard it ($as)', async (people) => {
    const name = `discarded-${people.as.toLowerCase()}`;
    await submit(name);
    const console = await openQueue(name, name, { ends: 'suddenly', as: people.as });
    await console.press('j');
    await approveByKey(console, name);
    await console.page.evaluateOnNewDocument(
      `sessionStorage.setItem('registry-token', ${JSON.stringify(tokens[people.other])})`,
    );

    await console.reload();

    await console.waitFor('.notice', `Sign in as ${people.sender}`);
    await console.waitFor('.signed-in-user', people.who);
    expect(await console.page.$('.notice button:enabled')).not.toBe(null);
    expect(await console.page.$eval('.notice button', ({ disabled }) => disabled)).toBe(true);
    await console.page.click('.notice .plain');
    await console.page.waitForSelector('.notice', { hidden: true });
    expect(await findStatus(name)).toBe('pending');
    expect(await console.page.evaluate("sessionStorage.getItem('registry-decisions')")).toBe(null);
    await console.close();
  });

  it('and a later refusal appears on the current view, and keeps the input', async () => {
    await submit('refused-a', 'refused-b');
    await scan('refused-a', 'high');
    const console = await openQueue('refused-', 'refused-b');
    await console.press('j');
    await console.waitForEvidence('refused-a');
    await console.press('a');
    await console.waitFor('.decision-form', 'Why do you approve it anyway?');
    await console.page.keyboard.type('Only used in tests');
    await console.page.select('.decision-form select', '90');
    await console.page.focus('.decision-form textarea');
    await console.press('Enter');
    await console.waitFor('.notice', 'npm:refused-a@1.0.0 will be approved');
    await scan('refused-a', 'critical');

    await console.page.click('nav a[href="#/overview"]');

    await console.waitFor('.notice[role=alert]', 'npm:refused-a@1.0.0 was not approved');
    await console.waitFor('.notice[role=alert]', 'its evidence has changed');
    expect(await findStatus('refused-a')).toBe('pending');
    await console.page.click('.notice a');
    await console.waitForEvidence('refused-a');
    await console.page.waitForSelector('.notice', { hidden: true });
    await console.press('a');
    await console.waitFor('.overrides', '1 critical');
    const typed = await console.page.$eval('.decision-form textarea', ({ value }) => value);
    const end = await console.page.$eval('.decision-form select', ({ value }) => value);
    expect([typed, end]).toEqual(['Only used in tests', '90']);
    await console.close();
  });

  it('and keeps the input on another version', async () => {
    await submit('typed-a', 'typed-b');
    const console = await openQueue('typed-', 'typed-b');
    await console.press('j');
    await console.waitForEvidence('typed-a');
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject npm:typed-a');
    await console.page.keyboard.type('Not maintained');
    await console.page.click(`${row('typed-b')} a`);
    await console.waitForEvidence('typed-b');
    expect(await console.page.$('.decision-form')).toBe(null);

    await console.press('k');
    await console.waitForEvidence('typed-a');

    await console.page.waitForSelector('.decision-form');
    const read = () => console.page.$eval('.decision-form textarea', ({ value }) => value);
    expect(await read()).toBe('Not maintained');
    await console.press('Escape', 'r');
    expect(await read()).toBe('Not maintained');
    await console.press('Enter');
    await console.page.click('.notice .plain');
    await console.waitFor('.announcement', 'npm:typed-a@1.0.0 rejected');
    expect(await find('typed-a')).toMatchObject({ reason: 'Not maintained' });
    await console.close();
  });

  it('together with others, and undo restores the selection and the reason', async () => {
    await submit('some-a', 'some-b');
    const console = await openQueue('some-', 'some-b');
    await console.press('X', 'r');
    await console.page.keyboard.type('Nobody needs them');
    await console.press('Enter');
    await console.waitFor('.notice', '2 versions will be rejected');
    expect(await console.page.$(isSelected('some-a'))).toBe(null);

    await console.press('u');

    await console.waitFor('.bulk-bar', '2 selected');
    await console.press('r');
    const typed = await console.page.$eval('.decision-form textarea', ({ value }) => value);
    expect(typed).toBe('Nobody needs them');
    await console.press('Enter');
    await console.passFiveSeconds();
    await console.waitFor('.announcement', '2 rejected');
    expect(await console.page.$('.bulk-bar')).toBe(null);
    await console.close();
  });

  it('and refused ones of many stay selected', async () => {
    await submit('most-a', 'most-b');
    const console = await openQueue('most-', 'most-b');
    await console.press('X', 'a');
    await console.page.keyboard.type('All of them');
    await console.press('Enter');
    await console.waitFor('.notice', '2 versions will be approved');
    await registry.post(packagePath('most-b', '/reject'), {}, { token: tokens.bob });

    await console.passFiveSeconds();

    await console.waitFor('.announcement', '1 approved, 1 refused');
    await console.waitFor('.notice[role=alert]', 'npm:most-b@1.0.0 was not approved');
    await console.waitFor('.bulk-bar', '1 selected');
    await console.page.waitForSelector(isSelected('most-b'));
    await console.press('a');
    const typed = await console.page.$eval('.decision-form textarea', ({ value }) => value);
    expect(typed).toBe('All of them');
    await console.close();
  });

  it('but not if the request is too large for a closing page', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `large-${at}`);
    await submit(...names);
    const console = await openQueue('large-', 'large-29');
    await console.press('X', 'r');
    await console.page.keyboard.sendCharacter('x'.repeat(2000));

    await console.press('Enter');

    await console.waitFor('.announcement', '30 rejected');
    await console.close();
  });

  it('but not if it is switched off', async () => {
    await submit('hurried');
    const console = await openQueue('hurried', 'hurried');
    await console.press('?');
    await console.page.click('.keys [name=undo]');
    await console.press('Escape');
    await console.press('j');
    await console.waitForEvidence('hurried');

    await console.press('a');

    await console.waitFor('.announcement', 'npm:hurried@1.0.0 approved');
    expect(await console.page.evaluate("localStorage.getItem('registry-undo')")).toBe('off');
    await console.close();
  });
});
