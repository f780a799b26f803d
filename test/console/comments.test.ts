import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations } from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const hostile = '<img src=x onerror=alert(1)>\n\nApproved by root\u202e';

describe('comments in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, indexing: true }),
      startBrowser(),
    ]);
    for (const name of ['talked', 'hostile', 'silent']) {
      await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token: tokens.ci });
    }
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const open = (name: string, as?: 'alice' | 'bob') =>
    openConsole(browser, registry, `#/queue/npm/${name}/1.0.0?search=${name}`, as ? { as } : {});

  it('ask a question by keyboard, which is open until somebody answers', async () => {
    const console = await open('talked', 'alice');
    await console.waitFor('.history', 'submitted');

    await console.page.focus('#history + .section-body button');
    await console.page.keyboard.press('Enter');
    await console.waitFor('.decision-form', 'This is a question');
    await console.page.keyboard.type('Why this one?');
    await console.page.keyboard.press('Tab');
    await console.page.keyboard.press('Space');
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    await console.page.click('.decision-form button[type=submit]');

    await console.waitFor('.history', 'Why this one?');
    await console.waitFor('.open-questions', 'Question by alice');
    await registry.post(
      packagePath('talked', '/comments'),
      { text: 'For the importer' },
      { token: tokens.ci },
    );
    await console.waitFor('.history', 'For the importer');
    await console.page.waitForSelector('.open-questions', { hidden: true });
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('keep the text of a form that is closed', async () => {
    const console = await open('silent', 'alice');
    await console.waitFor('.history', 'submitted');
    const button = '#history + .section-body button.plain';

    await console.page.click(button);
    await console.waitFor('.decision-form', 'Comment');
    await console.page.keyboard.type('Half a thought');
    await console.page.keyboard.press('Escape');
    await console.page.waitForSelector('.decision-form', { hidden: true });
    await console.page.click(button);
    await console.waitFor('.decision-form', 'Comment');

    expect(await console.page.$eval('.decision-form textarea', (one) => one.value)).toBe(
      'Half a thought',
    );
    await console.close();
  });

  it('show hostile text as text', async () => {
    const body = { text: hostile, question: true };
    await registry.post(packagePath('hostile', '/comments'), body, { token: tokens.ci });
    const console = await open('hostile', 'bob');

    await console.waitFor('.open-questions', '<img src=x onerror=alert(1)>');
    expect(await console.read('.open-questions')).toContain('⟨U+202E⟩');
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('offer no form without a token', async () => {
    const console = await open('silent');
    await console.waitFor('.history', 'submitted');

    expect(await console.page.$('#history + .section-body button.plain')).toBeNull();
    await console.close();
  });
});
