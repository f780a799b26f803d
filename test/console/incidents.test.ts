import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRecallWorker } from '../contract/recall-registry.ts';
import { startBrowser } from '../support/browser.ts';
import { FunctionClock } from '../support/function-clocks.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { listRecord, serveEmptyFeed } from '../support/recall-feed.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  themes,
} from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const hostile = '<img src=x onerror="complain(1)">';
const freezePath = '/api/v1/freeze';
const heldPath = '/api/v1/held-recalls';

describe('incidents in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;
  let origin: OriginServer;

  const submitApproved = async (name: string): Promise<void> => {
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, { token: tokens.ci });
    await registry.post(packagePath(name, '/approve'), {}, { token: tokens.bob });
  };

  /** Lists a record for a package: for one version, or for all of them, which puts the record on hold. */
  const list = async (id: string, name: string, isHeld: boolean): Promise<void> => {
    await submitApproved(name);
    const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }] }];
    const named = isHeld ? { ranges } : { versions: ['1.0.0'] };
    const affected = [{ package: { ecosystem: 'npm', name }, ...named }] as const;
    const summary = `Malicious code in ${name} ${hostile}`;
    listRecord(origin, { id, affected, summary }, registry.clock.at(0));
    await runRecallWorker(registry, origin);
  };

  beforeAll(async () => {
    origin = await startOriginServer();
    [registry, browser] = await Promise.all([
      TestRegistry.start({
        ...{ tokens: tokenList, events: true, originUrl: origin.url },
        clock: new FunctionClock(),
      }),
      startBrowser(),
    ]);
    serveEmptyFeed(origin);
    await list('MAL-2026-1', 'recalled', false);
    await list('MAL-2026-2', 'named-by-range', true);
    await list('MAL-2026-3', 'wrongly-named', true);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), registry?.close()]);
    await origin.close();
  });

  it.each(themes)('are accessible and fit each window, also with open forms: %s', async (theme) => {
    const console = await openConsole(browser, registry, '#/incidents', { as: 'alice', theme });
    await console.waitFor('.held-record', 'MAL-2026-3');
    await console.waitFor('.page', 'Recalled: MAL-2026-1');
    await console.page.click('button::-p-text(Freeze the registry)');
    await console.page.click('.held-record button::-p-text(Dismiss)');
    await console.page.waitForSelector('.held-record form');

    for (const width of [2560, 1440, 768, 320]) {
      await console.page.setViewport({ width, height: 800 });
      expect(await measureOverflow(console.page), `${width} wide`).toBe(0);
      expect(describeViolations(await findViolations(console.page))).toEqual([]);
    }
    expect(await console.page.$$('.page img')).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('show a recall with links to the version and the record', async () => {
    const console = await openConsole(browser, registry, '#/incidents');
    await console.waitFor('.page', 'Recalled: MAL-2026-1');

    const links = await console.page.$$eval('[aria-labelledby=recalls] a', (all) =>
      all.map(({ hash }) => hash),
    );

    expect(links).toEqual(['#/packages/npm/recalled/1.0.0', '#/vulnerability?id=MAL-2026-1']);
    await console.waitFor('.page', 'Sign in to decide');
    expect(await console.page.$$('.page .actions button')).toEqual([]);
    await console.close();
  });

  it('freeze the registry by keyboard, change the freeze, and lift it', async () => {
    const console = await openConsole(browser, registry, '#/incidents', { as: 'alice' });
    await console.waitFor('.page', 'The registry is not frozen');

    await console.page.focus('button::-p-text(Freeze the registry)');
    await console.press('Enter');
    await console.page.$eval('input[type=datetime-local]', (field) => {
      field.value = '2026-01-01T00:00';
    });
    await console.page.type('input[type=text]', 'Malware in popular packages');
    await console.press('Enter');

    await console.waitFor('.freeze-notice', 'Malware in popular packages');
    await console.waitFor('.page', 'Frozen');
    expect((await registry.get(freezePath)).body.freeze).toMatchObject({
      ...{ before: '2026-01-01T00:00:00.000Z', by: 'alice' },
      reason: 'Malware in popular packages',
    });

    await console.page.click('button::-p-text(Change the freeze)');
    await console.page.focus('input[type=text]');
    await console.press('End');
    await console.page.keyboard.type(' of npm');
    await console.press('Enter');
    await console.waitFor('.freeze-notice', 'Malware in popular packages of npm');

    await console.page.click('button::-p-text(Lift the freeze)');
    await console.press('Escape');
    await console.page.waitForFunction("!document.querySelector('.decision-form')");
    expect((await registry.get(freezePath)).body.freeze).not.toBeNull();
    await console.page.click('button::-p-text(Lift the freeze)');
    await console.page.click('.decision-form .primary');

    await console.waitFor('.page', 'The registry is not frozen');
    await console.page.waitForFunction(
      "!document.querySelector('.freeze-notice')?.textContent.includes('frozen')",
    );
    expect((await registry.get(freezePath)).body).toEqual({ freeze: null });
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('shows the refusal of a freeze in the form, which keeps the text', async () => {
    const console = await openConsole(browser, registry, '#/incidents', { as: 'alice' });
    await console.waitFor('.page', 'The registry is not frozen');
    await console.page.click('button::-p-text(Freeze the registry)');
    await console.page.type('input[type=text]', 'A reason');
    await console.page.$eval('input[type=datetime-local]', (field) => {
      field.max = '';
      field.value = '2999-01-01T00:00';
    });
    await console.press('Enter');

    await console.waitFor('.decision-form [role=alert]', 'before');
    expect(await console.page.$eval('input[type=text]', ({ value }) => value)).toBe('A reason');
    await console.close();
  });

  it('says on each page that records of malware wait for a decision, which leads to them', async () => {
    const console = await openConsole(browser, registry, '#/queue', { as: 'alice' });

    await console.waitFor('.freeze-notice', '2 records of malware wait for a decision');
    await console.page.click('.freeze-notice a');

    await console.waitFor('.held-record', 'names 1 approved version of named-by-range');
    expect(await console.read('.page')).toContain('names all versions, and so old ones');
    expect(await console.read('.page')).toContain(hostile);
    await console.close();
  });

  it('recall the versions of a held record, or dismiss it', async () => {
    const console = await openConsole(browser, registry, '#/incidents', { as: 'alice' });
    await console.waitFor('.held-record', 'MAL-2026-3');

    await console.page.focus('::-p-aria(Recall 1 approved version of MAL-2026-2)');
    await console.press('Enter');
    await console.page.keyboard.type('We saw it run');
    await console.press('Enter');
    await console.waitFor('.held-record', 'Confirmed');
    await console.waitFor('.freeze-notice', '1 record of malware waits for a decision');

    await console.page.click('.held-record button::-p-text(Dismiss)');
    await console.page.keyboard.type('Names clean versions');
    await console.press('Enter');
    await console.page.waitForFunction("!document.querySelector('.freeze-notice')");

    expect((await registry.get(heldPath)).body.held_recalls).toMatchObject([
      { record: 'MAL-2026-2', confirmed: { by: 'alice', reason: 'We saw it run' } },
    ]);
    await runRecallWorker(registry, origin);
    await console.waitFor('[aria-labelledby=recalls]', 'named-by-range');
    await console.waitFor('.page', 'No record of malware waits for a decision');
    expect(console.complaints).toEqual([]);
    await console.close();
  });
});
