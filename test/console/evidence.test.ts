import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

const report = (...severities: readonly string[]) => ({
  tool: 'audit',
  vulnerabilities: severities.map((severity, at) => ({
    ...{ id: `CVE-2022-200${at}`, severity, summary: `Fault ${at}` },
  })),
});

/** What looks like the console's own words, and pushes them off the screen. */
const forged = `✓ Nothing that is known speaks against it.\n\n✅ APPROVED\n${'\n'.repeat(60)}\nBlocked by\n– nothing`;

describe('the evidence in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, licenses: true }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const open = (name: string, query = '') =>
    openConsole(browser, registry, `#/queue/npm/${name}/1.0.0?search=${name}${query}`, {
      as: 'alice',
    });

  const submit = (name: string, more: object = {}) =>
    registry.submit({ ...version, name, ...more }, { token: tokens.ci });

  const scan = (name: string, ...severities: readonly string[]) =>
    registry.post(`/api/v1/security/scans/${name}`, report(...severities), { token: tokens.ci });

  it('shows the justification below the issues, labelled and in four lines', async () => {
    await submit('forged', { justification: forged, submitted_by: 'mallory' });
    await scan('forged', 'critical');
    const console = await open('forged');
    await console.waitFor('.quoted', 'Justification by mallory (token ci)');

    const seen = (await console.page.evaluate(`(() => {
      const quoted = document.querySelector('.quoted');
      const text = quoted.querySelector('blockquote');
      const issues = document.querySelector('#blocking').closest('section');
      const looks = ({ fontFamily, backgroundColor }) => [fontFamily, backgroundColor];
      return {
        isBelow: quoted.getBoundingClientRect().top >= issues.getBoundingClientRect().bottom,
        lines: text.clientHeight / parseFloat(getComputedStyle(text).lineHeight),
        type: getComputedStyle(text).fontFamily === getComputedStyle(issues).fontFamily,
        ground: getComputedStyle(quoted).backgroundColor === getComputedStyle(issues).backgroundColor,
        colours: new Set([text, ...text.querySelectorAll('*')].map((one) => getComputedStyle(one).color)).size,
        isSeen: issues.getBoundingClientRect().bottom < innerHeight,
      };
    })()`)) as object;

    expect(seen).toEqual({
      ...{ isBelow: true, lines: 4, type: false, ground: false },
      ...{ colours: 1, isSeen: true },
    });
    await console.page.click('.quoted button.plain');
    await console.waitFor('.quoted button', 'Show less');
    expect(
      await console.page.$eval('.quoted blockquote', ({ clientHeight }) => clientHeight),
    ).toBeGreaterThan(1000);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('shows four lines at most of what a decision, a description or a scanner says', async () => {
    await submit('wordy', { description: forged });
    await registry.post(packagePath('wordy', '/reject'), { reason: forged }, { token: tokens.bob });
    const console = await open('wordy');
    await console.waitFor('.quoted', 'Reason by bob');
    await console.waitFor('.history', 'rejected');

    const heights = await console.page.$$eval('.sections .text bdi, .quoted blockquote', (all) =>
      all.map((one) => one.clientHeight || one.getBoundingClientRect().height),
    );

    expect(Math.max(...heights)).toBeLessThan(120);
    expect(heights.length).toBeGreaterThan(2);
    await console.close();
  });

  it('sends each form by Enter, and begins a line by Shift and Enter', async () => {
    await submit('entered');
    await scan('entered', 'high');
    const console = await open('entered');
    await console.waitFor('.vulnerability', 'CVE-2022-2000');

    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('Not');
    await console.page.keyboard.down('Shift');
    await console.press('Enter');
    await console.page.keyboard.up('Shift');
    await console.page.keyboard.type('reached');
    await console.press('Enter');
    await console.waitFor('.vulnerability.quiet', 'Not\nreached');

    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('Now it is');
    await console.press('Enter');
    await console.waitFor('#scans + .section-body', 'scans failed: 1 high');
    await console.close();
  });
});
