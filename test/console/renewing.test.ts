import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeHead } from '../contract/facts-exercises.ts';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { functionOf } from '../support/functions.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const version = '1.0.0';
const long = '2026-01-01T00:00:00.000Z';

describe('an approved version in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;
  let origin: OriginServer;

  beforeAll(async () => {
    origin = await startOriginServer();
    [registry, browser] = await Promise.all([
      TestRegistry.start({
        ...{ tokens: tokenList, licenses: true, events: true, originUrl: origin.url },
      }),
      startBrowser(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), registry?.close()]);
    await origin.close();
  });

  const publish = (name: string, more: object = {}): void => {
    const dist = { tarball: `${origin.url}/${name}.tgz`, shasum: 'a'.repeat(40) };
    const said = { name, version, license: 'MIT', dist, ...more };
    origin.serve(`/npm/${name}`, {
      body: { name, time: { [version]: long }, versions: { [version]: said } },
    });
  };

  const readEvidence = async (name: string) =>
    (await registry.get(packagePath(name, '/evidence'))).body;

  const approve = async (name: string, body: object = {}): Promise<void> => {
    publish(name);
    await registry.submit(
      { ecosystem: 'npm', name, version, license: 'MIT' },
      { token: tokens.ci },
    );
    await eventually(async () => expect((await readEvidence(name)).facts).not.toBeNull());
    await registry.post(packagePath(name, '/approve'), body, { token: tokens.bob });
  };

  /** Has the publisher deprecate a version, and the registry know it. */
  const deprecate = async (name: string): Promise<void> => {
    publish(name, { deprecated: 'use another one' });
    await changeHead(registry, name, (head) => ({
      facts: { ...Object(head['facts']), checked_at: long },
      refresh_at: long,
    }));
    await registry.stack.invoke(functionOf(registry.stack.model, 'collect-facts').id, {
      Records: [{ messageId: 'one', body: JSON.stringify({ ecosystem: 'npm', name, version }) }],
    });
  };

  const find = async (name: string) => (await registry.get(packagePath(name))).body;
  const row = (name: string): string => `tr[data-key="npm/${name}/1.0.0"]`;
  const button = (label: string): string => `.decision-bar button::-p-text(${label})`;

  it('is renewed until another day', async () => {
    await approve('renewed', { expires_in_days: 30 });
    const console = await openConsole(browser, registry, '#/packages/npm/renewed/1.0.0', {
      as: 'alice',
    });
    await console.waitForEvidence('renewed');

    await console.page.click(button('Renew'));
    await console.waitFor('.decision-form', 'New expiry date');
    const day = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10);
    await console.page.$eval(
      '.decision-form [name=until]',
      (field, value) => {
        (field as { value?: string }).value = value;
      },
      day,
    );
    await console.press('Enter');

    await console.waitFor('.announcement', 'npm:renewed@1.0.0 renewed');
    expect(await find('renewed')).toMatchObject({
      ...{ status: 'approved', approved_by: 'alice', expires_at: `${day}T00:00:00.000Z` },
    });
    await console.close();
  });

  it('is kept with a reason, which settles what upstream caused', async () => {
    await approve('kept', { expires_in_days: 30 });
    const { expires_at } = await find('kept');
    await deprecate('kept');
    const console = await openConsole(browser, registry, '#/attention', { as: 'alice' });
    await console.waitFor(row('kept'), 'deprecated');
    await console.press('j');
    await console.waitForEvidence('kept');

    await console.page.click(button('Keep'));
    await console.waitFor('.decision-form', 'no longer needs attention');
    await console.press('Enter');
    expect(await find('kept')).toMatchObject({ approved_by: 'bob' });
    await console.page.keyboard.type('Used in tests only');
    await console.press('Enter');

    await console.waitFor(`${row('kept')} .status-cell`, 'kept');
    expect(await find('kept')).toMatchObject({
      ...{ status: 'approved', approved_by: 'alice', reason: 'Used in tests only', expires_at },
    });
    const { body } = await registry.get('/api/v1/attention');
    expect(body.attention).toEqual([]);
    await console.close();
  });

  it('is kept in spite of failed scans by the issues that the form shows, and says what is left to do', async () => {
    await approve('failing');
    const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'critical' }];
    await registry.post(
      '/api/v1/security/scans/failing',
      { tool: 'audit', vulnerabilities },
      { token: tokens.ci },
    );
    const console = await openConsole(browser, registry, '#/attention/npm/failing/1.0.0', {
      as: 'alice',
    });
    await console.waitForEvidence('failing');

    await console.page.click(button('Keep'));
    await console.waitFor('.overrides', '1 critical vulnerability');
    await console.waitFor('.decision-form', 'until its vulnerabilities are accepted or fixed');
    await console.page.keyboard.type('Unreachable here');
    await console.press('Enter');

    await console.waitFor('.announcement', 'npm:failing@1.0.0 kept');
    const { history } = (await registry.get(packagePath('failing', '/history'))).body;
    expect(history[0]).toMatchObject({ overridden: ['scan_failed'], reason: 'Unreachable here' });
    // Its vulnerability is accepted where it is shown, which settles the rest.
    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('Unreachable here');
    await console.page.click('.vulnerability .primary');
    await console.page.waitForSelector('.vulnerability.quiet');
    const { body } = await registry.get('/api/v1/attention');
    expect(body.attention.map(({ name }: { name: string }) => name)).not.toContain('failing');
    await console.close();
  });
});
