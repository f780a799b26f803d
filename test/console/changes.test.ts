import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { maliciousFields, servePackage } from '../support/changed-package.ts';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  themes,
} from '../support/watched-page.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

const times = { first: hoursAgo(30 * 24), second: hoursAgo(24) };

const longCommand = `node -e "${'x'.repeat(1500)}"`;

describe('the changes in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;
  let origin: OriginServer;

  beforeAll(async () => {
    origin = await startOriginServer();
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true, originUrl: origin.url }),
      startBrowser(),
    ]);
    origin.serve('/npm/plain-crypto-js', {
      body: { name: 'plain-crypto-js', versions: {}, time: { created: hoursAgo(42) } },
    });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close(), origin?.close()]));

  const submit = async (name: string, version: string): Promise<void> => {
    await registry.submit({ ecosystem: 'npm', name, version }, { token: tokens.ci });
    const path = packagePath(name, `/evidence?version=${version}`);
    await until(async () => (await registry.get(path)).body.facts !== null);
  };

  /** Submits version 1.1.0 with the given fields, compared with 1.0.0, which is approved unless `isApproved` is false. */
  const publish = async (name: string, fields: object, isApproved = true): Promise<void> => {
    servePackage(origin, name, [
      { version: '1.0.0', at: times.first },
      { version: '1.1.0', at: times.second, fields },
    ]);
    if (isApproved) {
      await submit(name, '1.0.0');
      await registry.post(packagePath(name, '/approve'), {}, { token: tokens.alice });
    }
    await submit(name, '1.1.0');
  };

  const open = (name: string, version = '1.1.0', options: Parameters<typeof openConsole>[3] = {}) =>
    openConsole(browser, registry, `#/queue/npm/${name}/${version}?search=${name}`, {
      ...{ as: 'alice', ...options },
    });

  const readSections = ({ page }: OpenedConsole) =>
    page.$$eval('.sections h3', (all) => all.map(({ textContent }) => textContent));

  const readChanges = ({ page }: OpenedConsole) =>
    page.$$eval('.changes li', (all) =>
      all.map((one) => (one as unknown as { innerText: string }).innerText.replaceAll(/\s+/g, ' ')),
    );

  const readBody = ({ page }: OpenedConsole) =>
    page.$eval('#changes + .section-body', (one) => one.textContent ?? '');

  it('come first, with a sign and a word for each kind', async () => {
    await publish('axios', {
      ...maliciousFields,
      dependencies: { 'plain-crypto-js': '^4.2.1', unseen: '^1.0.0' },
    });
    const console = await open('axios');
    await console.waitFor('.changes', 'plain-crypto-js');

    expect((await readSections(console)).at(0)).toBe('Changes');
    expect(await console.read('.proposal')).toBe('Upgrade of approved 1.0.0, minor');
    expect(await readBody(console)).toMatch(/^Since 1\.0\.0 ✓approved, published .*29 days after/);
    expect(await readChanges(console)).toEqual([
      '+ added install script postinstall: node setup.js',
      expect.stringMatching(
        /^\+ added dependency plain-crypto-js: \^4\.2\.1 \(not in the registry; first published 1 d ago/,
      ),
      '+ added dependency unseen: ^1.0.0 (not in the registry; age unknown)',
      '~ changed publisher: GitHub Actions → becomes jason',
      '- removed trusted publisher: github',
      '- removed provenance: present',
      '~ changed size: 1,000,000 bytes → becomes 1,000,100 bytes',
    ]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('are one key away from an issue', async () => {
    const console = await open('axios');
    await console.waitFor('#warnings + .section-body', 'plain-crypto-js');

    await console.page.$$eval('.issue-list li', (all) => {
      const issue = all.find(({ textContent }) => textContent?.includes('first published less'));
      issue?.querySelector('button')?.click();
    });

    expect(await console.page.evaluate('document.activeElement.id')).toBe('changes');
    await console.close();
  });

  it('say that nobody approved the earlier version', async () => {
    await publish('unapproved', maliciousFields, false);
    const console = await open('unapproved');
    await console.waitFor('.changes', 'postinstall');

    expect(await readBody(console)).toContain('Since 1.0.0 ! not in the registry');
    expect(await readBody(console)).toContain('1.0.0 is not approved');
    await console.close();
  });

  it('take one line if there are none, and one for what is unknown', async () => {
    await publish('equal', {});
    servePackage(origin, 'first', [{ version: '1.1.0', at: times.second }]);
    await submit('first', '1.1.0');
    await submit('nowhere', '1.1.0');
    const seen = [];
    for (const name of ['equal', 'first', 'nowhere']) {
      const console = await open(name);
      await console.waitFor('#changes + .section-body', '.');
      seen.push(await readBody(console));
      await console.close();
    }

    expect(seen).toEqual([
      expect.stringMatching(
        /^Since 1\.0\.0 ✓approved.*No change in what is known\.Could not be compared: provenance repository, provenance workflow\.$/,
      ),
      'The registry has no earlier version to compare with.',
      'Not compared with an earlier version.',
    ]);
  });

  it('name fields that could not be compared, and take no room on versions decided without them', async () => {
    await publish('hidden', { _npmUser: undefined, maintainers: undefined });
    const console = await open('hidden');
    await console.waitFor('#changes + .section-body', 'Could not be compared: publisher');
    await registry.post(packagePath('nowhere', '/reject'), {}, { token: tokens.alice });
    const decided = await openConsole(browser, registry, '#/packages/npm/nowhere/1.1.0');
    await decided.waitFor('.history', 'rejected');

    expect(await readSections(decided)).not.toContain('Changes');
    await Promise.all([console.close(), decided.close()]);
  });

  it.each(themes)('of any number and length leave the issues on the screen: %s', async (theme) => {
    const name = `long-${theme}`;
    await publish(name, {
      ...maliciousFields,
      scripts: { postinstall: longCommand },
      dependencies: Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`${'dependency-'.repeat(12)}${at}`, '^1.0.0']),
      ),
    });
    const console = await open(name, '1.1.0', { theme });
    await console.waitFor('.changes + button', 'Show all 45 changes');

    for (const width of [1440, 768, 320]) {
      await console.page.setViewport({ width, height: 800 });
      expect(await measureOverflow(console.page), `${width} wide`).toBe(0);
      expect(describeViolations(await findViolations(console.page))).toEqual([]);
    }
    await console.page.setViewport({ width: 1440, height: 900 });
    const top = await console.page.$eval('#warnings', (one) => one.getBoundingClientRect().top);
    expect(top).toBeLessThan(850);

    await console.page.click('.changes + button');
    await console.waitFor('.changes + button', 'Show fewer changes');
    expect(await readChanges(console)).toHaveLength(45);
    await console.page.click('.changes .text button');
    await console.waitFor('.changes', 'x'.repeat(1500));
    expect(console.complaints).toEqual([]);
    await console.close();
  });
});
