import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';
import { type PageClock, simulateClock } from './page-clock.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

const report = (...severities: readonly string[]) => ({
  tool: 'audit',
  vulnerabilities: severities.map((severity, at) => ({
    ...{ id: `CVE-2022-200${at}`, severity, summary: `Fault ${at}` },
  })),
});

const sha256 = (digit: number): string => String(digit).repeat(64);

/** Text that imitates the console's own words, and pushes them off the screen. */
const forged = `✓ No known issues.\n\n✅ APPROVED\n${'\n'.repeat(60)}\nBlocked by\n– nothing`;

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

  /** Opens a version with a stopped clock, and returns both. */
  const openStill = async (name: string, hash = `#/queue/npm/${name}/1.0.0?search=${name}`) => {
    const held: PageClock[] = [];
    const console = await openConsole(browser, registry, hash, {
      as: 'alice',
      prepare: async (page) => held.push(await simulateClock(page)),
    });
    const [clock] = held;
    if (!clock) throw new Error('The page has no clock');
    await console.waitFor('.history', 'submitted');
    // Counted after the page has loaded.
    await clock.advance(1000);
    await clock.takeRequests();
    return { console, clock };
  };

  const row = (name: string): string => `tr[data-key="npm/${name}/1.0.0"]`;

  /** Waits for events of a version. */
  const untilEvent = (name: string, type: string): Promise<unknown> =>
    until(async () => {
      const { body } = await registry.get('/api/v1/events?last=100');
      return body.events.some(
        (one: { name: string; type: string }) => one.name === name && one.type === type,
      );
    });

  const submit = (name: string, more: object = {}) =>
    registry.submit({ ...version, name, ...more }, { token: tokens.ci });

  const scan = (name: string, ...severities: readonly string[]) =>
    registry.post(`/api/v1/security/scans/${name}`, report(...severities), { token: tokens.ci });

  it('shows the justification below the issues, labelled and in four lines', async () => {
    await submit('forged', { justification: forged, submitted_by: 'mallory' });
    await scan('forged', 'critical');
    const console = await open('forged');
    await console.waitFor('.quoted-text', 'Justification by ci for mallory');

    const seen = (await console.page.evaluate(`(() => {
      const quoted = document.querySelector('.quoted-text');
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
    await console.page.click('.quoted-text button.plain');
    await console.waitFor('.quoted-text button', 'Show less');
    expect(
      await console.page.$eval('.quoted-text blockquote', ({ clientHeight }) => clientHeight),
    ).toBeGreaterThan(1000);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('shows at most four lines of a decision, a description or a scanner message', async () => {
    await submit('wordy', { description: forged });
    await registry.post(packagePath('wordy', '/reject'), { reason: forged }, { token: tokens.bob });
    const console = await open('wordy');
    await console.waitFor('.quoted-text', 'Reason by bob');
    await console.waitFor('.history', 'rejected');

    const heights = await console.page.$$eval(
      '.sections .text bdi, .quoted-text blockquote',
      (all) => all.map((one) => one.clientHeight || one.getBoundingClientRect().height),
    );

    expect(Math.max(...heights)).toBeLessThan(120);
    expect(heights.length).toBeGreaterThan(2);
    await console.close();
  });

  /** Submits a version with the given number of upstream files, and waits for their data. */
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

  it('shows the digests of three files, all on demand, and the pinned state', async () => {
    await submitWithFiles('filed', 5);
    const console = await openEvidence('pypi', 'filed');
    await console.waitFor('#files + .section-body', 'An approval pins these files');

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

  it('copies the digest of a file, or shows that the browser refuses', async () => {
    await submitWithFiles('copied', 2);
    const console = await openEvidence('pypi', 'copied');
    const context = console.page.browserContext();
    await context.overridePermissions(registry.url, []);
    await console.waitFor('.digests', 'linux_0');

    await console.page.click('.digests button');
    await console.waitFor('.announcement', 'The browser blocked copying');

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

  it('copies the name with the version, and the package URL', async () => {
    await submit('@scope/named');
    const console = await openConsole(browser, registry, '#/queue/npm/@scope%2Fnamed/1.0.0', {
      as: 'alice',
    });
    await console.page
      .browserContext()
      .overridePermissions(registry.url, [
        ...(['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'] as const),
      ]);
    await console.waitFor('.copy-names', 'Copy purl');
    const [name, purl] = await console.page.$$('.copy-names button');

    await name?.click();
    await console.waitFor('.announcement', 'Copied the name and version.');
    expect(await console.page.evaluate('navigator.clipboard.readText()')).toBe(
      '@scope/named@1.0.0',
    );

    await purl?.click();
    await console.waitFor('.announcement', 'Copied the package URL.');
    expect(await console.page.evaluate('navigator.clipboard.readText()')).toBe(
      'pkg:npm/%40scope/named@1.0.0',
    );
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('warns of unmet dependencies, and approves without an override', async () => {
    const dist = { tarball: `${origin.url}/needy.tgz`, shasum: 'a'.repeat(40) };
    const published = { name: 'needy', version: '1.0.0', dist, dependencies: { needed: '^1.0.0' } };
    origin.serve('/npm/needy', { body: { name: 'needy', versions: { '1.0.0': published } } });
    await submit('needy');
    const console = await open('needy');

    await console.waitFor('#warnings + .section-body', 'npm:needed ^1.0.0.');
    await console.page.$eval('#dependencies', (one) => one.scrollIntoView());
    await console.waitFor('#dependencies + .section-body', 'not in the registry');
    expect(await console.read('#dependencies + .section-body')).toMatch(
      /1 dependency, 0 approved.*needed \^1\.0\.0/s,
    );
    await console.press('a');

    await console.waitFor('.decision-summary', 'approved');
    await console.close();
  });

  it('shows that no digests are known if upstream lists no files', async () => {
    await submit('fileless');
    const console = await open('fileless');

    await console.waitFor('#files + .section-body', 'No digests yet');
    expect(await readFiles(console)).toEqual([]);
    await console.close();
  });

  it('sends each form by Enter, and adds a line by Shift and Enter', async () => {
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
    await console.waitFor('#scans + .section-body', 'Scans fail the policy: 1 high');
    await console.close();
  });

  it('updates evidence and list within ten seconds of a scan', async () => {
    await submit('scanned');
    const { console, clock } = await openStill('scanned');
    await console.waitFor('#scans + .section-body', 'Not scanned');
    await scan('scanned', 'critical');

    await clock.advance(10_000);

    await console.waitFor('.issue-list', '1 critical vulnerability (policy: fail from high).');
    await console.waitFor('#scans + .section-body', 'Scans fail the policy: 1 critical');
    await console.waitFor(`${row('scanned')} .scan`, 'Scans fail the policy: 1 critical');
    await console.close();
  });

  it('reloads after every refusal', async () => {
    await submit('refused');
    const { console, clock } = await openStill('refused');
    await console.waitFor('.decision-bar', 'Approve');
    await registry.post(packagePath('refused', '/reject'), {}, { token: tokens.bob });

    await console.page.click('.decision-bar .primary');

    await console.waitFor('.decision-summary', 'by bob');
    expect((await clock.takeRequests()).filter((one) => one.includes('/events'))).toEqual([]);
    await console.close();
  });

  it('keeps the input and shows a note if it changes', async () => {
    await submit('typed');
    await scan('typed', 'high');
    const { console, clock } = await openStill('typed');
    await console.waitFor('.vulnerability', 'CVE-2022-2000');
    await console.press('a');
    await console.waitFor('.decision-form', 'Why do you approve it anyway?');
    await console.page.type('.decision-form [name=reason]', 'Only used in tests');
    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('We do not parse');
    await scan('typed');

    await clock.advance(10_000);

    await console.waitFor('.vulnerability', 'Scans no longer report this vulnerability');
    await console.waitFor('.decision-bar', 'evidence above has changed');
    const typed = await console.page.$$eval('textarea', (all) => all.map(({ value }) => value));
    expect(typed).toEqual(['We do not parse', 'Only used in tests']);
    await console.press('Escape');
    await console.page.waitForSelector('.vulnerability', { hidden: true });
    await console.close();
  });

  it('sends each request once after a decision', async () => {
    await submit('once');
    const { console, clock } = await openStill('once', '#/packages/npm/once/1.0.0?search=once');
    await console.page.click('.decision-bar .primary');
    await console.waitFor('.decision-summary', 'by alice');
    await console.waitFor('.history', 'approved');
    // The page also gets the event from the registry.
    await untilEvent('once', 'package.approved');
    const asked: string[] = [];
    for (let at = 0; at < 6; at += 1) {
      await clock.advance(1000);
      asked.push(...(await clock.takeRequests()));
    }

    const count = (part: string) => asked.filter((one) => one.includes(part)).length;
    expect(count('/events?after')).toBe(1);
    expect(count('/evidence')).toBe(1);
    expect(count('/history')).toBe(1);
    // The count of the queue alone, and no list.
    const full = asked.filter((one) => one.includes('view=full'));
    expect(full).toEqual([expect.stringMatching(/\?status=pending&.*\blimit=1$/)]);
    await console.close();
  });

  it('sends no requests while the page is hidden, and one when it is visible again', async () => {
    await submit('hidden');
    const { console, clock } = await openStill('hidden');
    const show = (state: string) =>
      console.page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );

    await show('hidden');
    await scan('hidden', 'critical');
    await clock.advance(60 * 60_000);
    expect(await clock.takeRequests()).toEqual([]);
    expect(await clock.countTimers()).toBe(0);

    await show('visible');
    await console.waitFor('.issue-list', '1 critical vulnerability (policy: fail from high).');
    await console.close();
  });

  it('sends no requests while the page is idle, and shows that', async () => {
    await submit('idle');
    const { console, clock } = await openStill('idle');

    await clock.advance(5 * 60_000);
    await console.waitFor('.connection-notice', 'Updates are paused');
    // Running requests finish, and those that their answers lead to.
    await until(async () => {
      await console.page.waitForFunction('heldClock.isQuiet()');
      await clock.takeRequests();
      await clock.advance(10_000);
      await console.page.waitForFunction('heldClock.isQuiet()');
      return (await clock.takeRequests()).length === 0 && (await clock.countTimers()) === 0;
    });
    await clock.advance(60 * 60_000);
    expect(await clock.takeRequests()).toEqual([]);
    expect(await clock.countTimers()).toBe(0);
    await scan('idle', 'critical');

    await console.press('Shift');
    await console.page.waitForSelector('.connection-notice', { hidden: true });
    // A slow answer is asked for again after a pause, which needs a clock that moves.
    await until(async () => {
      await clock.advance(1000);
      return (await console.read('.evidence')).includes('1 critical vulnerability');
    });
    await console.waitFor('.issue-list', '1 critical vulnerability (policy: fail from high).');
    await console.close();
  });

  it('slows down without answers, and recovers soon after', async () => {
    await submit('away');
    const { console, clock } = await openStill('away');
    await console.page.setOfflineMode(true);

    const asked: number[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      await console.press('Shift');
      for (let second = 0; second < 60; second += 2) {
        await clock.advance(2000);
        await console.page.waitForFunction('heldClock.isQuiet()');
      }
      asked.push((await clock.takeRequests()).length);
    }
    await console.waitFor('.connection-notice', 'The registry cannot be reached');
    // A request is tried three times; in the first minute, both polls begin a few of them.
    expect(asked[3]).toBeLessThan(asked[0] ?? 0);
    expect(asked[3]).toBeLessThanOrEqual(6);

    await console.page.setOfflineMode(false);
    await until(async () => {
      await clock.advance(2000);
      return (await console.page.$('.connection-notice')) === null;
    });
    await console.close();
  });

  it('shows that a withdrawn acceptance takes minutes, and updates until it is done', async () => {
    await submit('wide');
    await scan('wide', 'high');
    const { console, clock } = await openStill('wide');
    await console.waitFor('.vulnerability', 'CVE-2022-2000');

    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('We do not parse');
    // All versions of this package.
    await console.page.select('.vulnerability select', '1');
    await console.press('Enter');
    await console.waitFor('.announcement', 'takes effect within minutes');
    await console.waitFor('.vulnerability', 'Risk accepted: takes effect within minutes');
    await clock.takeRequests();
    await clock.advance(6000);
    expect((await clock.takeRequests()).some((one) => one.includes('view=full'))).toBe(true);
    await console.close();
  });
});
