import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

const report = (...severities: readonly string[]) => ({
  tool: 'audit',
  vulnerabilities: severities.map((severity, at) => ({
    ...{ id: `CVE-2022-200${at}`, severity, summary: `Fault ${at}` },
  })),
});

const sha256 = (digit: number): string => String(digit).repeat(64);

/** What looks like the console's own words, and pushes them off the screen. */
const forged = `✓ Nothing that is known speaks against it.\n\n✅ APPROVED\n${'\n'.repeat(60)}\nBlocked by\n– nothing`;

describe('the evidence in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;
  let origin: OriginServer;

  beforeAll(async () => {
    origin = await startOriginServer();
    [registry, browser] = await Promise.all([
      TestRegistry.start({
        ...{ tokens: tokenList, events: true, licenses: true },
        originUrl: origin.url,
      }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close(), origin?.close()]));

  const openEvidence = (ecosystem: string, name: string) =>
    openConsole(browser, registry, `#/queue/${ecosystem}/${name}/1.0.0?search=${name}`, {
      as: 'alice',
    });
  const open = (name: string) => openEvidence('npm', name);

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

  /** Submits a version with as many files upstream, and waits until these are known. */
  const submitWithFiles = async (name: string, count: number): Promise<void> => {
    const files = Array.from({ length: count }, (_, at) => ({
      filename: `${name}-1.0.0-py3-none-linux_${at}.whl`,
      url: `${origin.url}/files/${name}-${at}.whl`,
      hashes: { sha256: sha256(at) },
    }));
    const headers = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };
    const body = { meta: { 'api-version': '1.1' }, name, files };
    origin.serve(`/pypi/simple/${name}/`, { headers, body });
    await submit(name, { ecosystem: 'pypi' });
    const evidence = packagePath(name, '/evidence');
    await until(async () => (await registry.get(evidence)).body.files !== null);
  };

  const readFiles = ({ page }: OpenedConsole) =>
    page.$$eval('.digests li', (all) => all.map(({ textContent }) => textContent ?? ''));

  it('shows the digests of three files, of all on demand, and whether they are pinned', async () => {
    await submitWithFiles('filed', 5);
    const console = await openEvidence('pypi', 'filed');
    await console.waitFor('#files + .section-body', 'Pinned once it is approved');

    expect(await readFiles(console)).toEqual(
      [0, 1, 2].map((at) => `filed-1.0.0-py3-none-linux_${at}.whlsha256:${sha256(at)}Copy`),
    );
    await console.page.click('.digests + button');
    await console.waitFor('.digests + button', 'Show fewer files');
    expect(await readFiles(console)).toHaveLength(5);
    await console.page.click('.digests + button');
    await console.waitFor('.digests + button', 'Show 2 more files');
    expect(await readFiles(console)).toHaveLength(3);

    await registry.post(packagePath('filed', '/approve'), {}, { token: tokens.alice });
    await console.page.reload();
    await console.waitFor('#files + .section-body', 'Pinned by the approval');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('copies the digest of a file, and says so where the browser refuses', async () => {
    await submitWithFiles('copied', 2);
    const console = await openEvidence('pypi', 'copied');
    const context = console.page.browserContext();
    await context.overridePermissions(registry.url, []);
    await console.waitFor('.digests', 'linux_0');

    await console.page.click('.digests button');
    await console.waitFor('.announcement', 'The browser did not let it be copied');

    await context.overridePermissions(registry.url, [
      ...(['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'] as const),
    ]);
    await console.page.click('.digests button');
    await console.waitFor('.announcement', 'Copied the digest of copied-1.0.0-py3-none-linux_0');
    expect(await console.page.evaluate('navigator.clipboard.readText()')).toBe(
      `sha256:${sha256(0)}`,
    );
    await console.close();
  });

  it('says that no digests are known where upstream lists no files', async () => {
    await submit('fileless');
    const console = await open('fileless');

    await console.waitFor('#files + .section-body', 'No digests are known yet');
    expect(await readFiles(console)).toEqual([]);
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
