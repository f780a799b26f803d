import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invoking } from '../contract/exercise.ts';
import { startBrowser } from '../support/browser.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { listRecord, serveEmptyFeed } from '../support/recall-feed.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations } from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

describe('a recalled version in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;
  let origin: OriginServer;
  let records = 0;
  let name = '';
  let record = '';

  beforeAll(async () => {
    origin = await startOriginServer();
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, originUrl: origin.url }),
      startBrowser(),
    ]);
    serveEmptyFeed(origin);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), registry?.close()]);
    await origin.close();
  });

  const submitApproved = async (id: string): Promise<void> => {
    const version = { ecosystem: 'npm', name: id, version: '1.0.0' };
    await registry.submit(version, { token: tokens.ci });
    await registry.post(packagePath(id, '/approve'), {}, { token: tokens.bob });
  };

  const recall = async (): Promise<void> => {
    const affected = [{ package: { ecosystem: 'npm', name }, versions: ['1.0.0'] }] as const;
    const summary = `Malicious code in ${name} (npm)`;
    listRecord(origin, { id: record, affected, summary }, new Date().toISOString());
    const run = invoking('recall-packages', {});
    expect(await run(registry, name, {} as never, origin)).toEqual([200]);
  };

  beforeEach(async () => {
    records += 1;
    name = `recalled-${records}`;
    record = `MAL-2026-${records}`;
    await submitApproved(name);
    await recall();
  });

  const find = async () => (await registry.get(packagePath(name))).body;
  const row = (): string => `tr[data-key="npm/${name}/1.0.0"]`;
  const button = (label: string): string => `.decision-bar button::-p-text(${label})`;
  const open = (view = 'attention') =>
    openConsole(browser, registry, `#/${view}/npm/${name}/1.0.0`, { as: 'alice' });

  it('comes first in what needs attention, with its record', async () => {
    await submitApproved('failing');
    await registry.post(
      '/api/v1/security/scans/failing',
      { tool: 'audit', vulnerabilities: [{ id: 'CVE-2022-1', severity: 'critical' }] },
      { token: tokens.ci },
    );
    const console = await open();
    await console.waitForEvidence(name);

    await console.waitFor(`${row()} .license-cell a`, record);
    const rows = await console.page.$$eval('tr[data-key] .name', (names) =>
      names.map(({ textContent }) => textContent),
    );
    expect(rows).toEqual([name, 'failing']);
    const shown = await console.read('section:has(#recall)');
    expect(shown).toContain(record);
    expect(shown).toContain('approved since');
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('is approved only with a reason, which accepts the record', async () => {
    const console = await open();
    await console.waitForEvidence(name);

    await console.page.click(button('Approve'));
    await console.waitFor('.overrides', `recalled this version: ${record}`);
    await console.waitFor('.overrides', 'never recalls it again');
    await console.press('Enter');
    expect(await find()).toMatchObject({ status: 'rejected' });
    await console.page.keyboard.type('The record is about another version');
    await console.press('Enter');

    await console.waitFor('.announcement', `npm:${name}@1.0.0 approved`);
    expect(await find()).toMatchObject({ status: 'approved', approved_by: 'alice' });
    await console.page.waitForFunction("!document.querySelector('#recall')");
    await console.close();
  });

  it('is rejected for good, and needs attention no longer', async () => {
    const console = await open();
    await console.waitForEvidence(name);

    await console.page.click(button('Reject'));
    await console.waitFor('.decision-form', 'The recall becomes permanent');
    await console.page.keyboard.type('It is malware');
    await console.press('Enter');

    await console.waitFor(`${row()} .status-cell`, 'rejected');
    expect(await find()).toMatchObject({ rejected_by: 'alice', reason: 'It is malware' });
    const { body } = await registry.get('/api/v1/attention');
    expect(body.attention.map((one: { name: string }) => one.name)).not.toContain(name);
    await console.page.waitForFunction("!document.querySelector('#recall')");
    await console.close();
  });
});
