import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT', submitted_by: 'web' };

const report = (...severities: readonly string[]) => ({
  tool: 'audit',
  vulnerabilities: severities.map((severity, at) => ({
    ...{ id: `CVE-2022-100${at}`, severity, summary: `Fault ${at}` },
  })),
});

describe('the console decides', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, licenses: true }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const open = (hash: string, options: Parameters<typeof openConsole>[3] = { as: 'alice' }) =>
    openConsole(browser, registry, hash, options);

  const submitMany = async (names: readonly string[]): Promise<void> => {
    const packages = names.map((name) => ({ ...version, name }));
    const { body } = await registry.post('/api/v1/submissions', { packages }, { token: tokens.ci });
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual(
      names.map(() => 201),
    );
  };

  /** One after the other, so that they wait in this order. */
  const submit = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await registry.submit({ ...version, name }, { token: tokens.ci });
  };

  const scan = (name: string, ...severities: readonly string[]) =>
    registry.post(`/api/v1/security/scans/${name}`, report(...severities), { token: tokens.ci });

  const find = async (name: string) => (await registry.get(packagePath(name))).body;

  const row = (name: string): string => `tr[data-key="npm/${name}/1.0.0"]`;
  const link = (name: string): string => `#/queue/npm/${name}/1.0.0?search=${name}`;

  it('on 50 versions, by keyboard alone, with a key or two for each', async () => {
    const names = Array.from({ length: 50 }, (_, at) => `fifty-${String(at).padStart(2, '0')}`);
    await submitMany(names);
    const console = await open('#/queue?search=fifty');
    await console.waitFor(row('fifty-49'), 'fifty-49');

    await console.press('j');
    for (let at = 0; at < 40; at += 1) {
      await console.waitForEvidence();
      await console.press('a');
    }
    // The other versions together, with one reason.
    const rejected = await console.read('tr.current .name');
    for (let at = 0; at < 10; at += 1) await console.press('x', 'j');
    await console.press('r');
    await console.page.keyboard.type('Nobody needs them');
    await console.press('Enter');
    await console.waitFor('.announcement', '10 rejected');

    const { body } = await registry.get('/api/v1/packages?search=fifty&status=pending');
    expect(body.total).toBe(0);
    const { total } = (await registry.get('/api/v1/packages?search=fifty&status=rejected')).body;
    expect(total).toBe(10);
    expect(await find(rejected)).toMatchObject({
      ...{ rejected_by: 'alice', reason: 'Nobody needs them' },
    });
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('on more than one page, which it loads on demand', async () => {
    const names = Array.from({ length: 104 }, (_, at) => `paged-${String(at).padStart(3, '0')}`);
    await submitMany(names.slice(0, 52));
    await submitMany(names.slice(52));
    const console = await open('#/queue?search=paged');
    await console.waitFor('.more', '100 of 104');

    await console.page.click('.more button');

    await console.page.waitForFunction("document.querySelectorAll('tr[data-key]').length === 104");
    await console.page.waitForSelector('.more', { hidden: true });
    // More than the limit of one request.
    await console.press('X', 'r');
    await console.page.keyboard.type('Nobody needs them');
    const path = packagePath('paged-000', '/approve');
    await registry.post(path, {}, { token: tokens.bob });
    await console.press('Enter');
    await console.waitFor('.announcement', '103 rejected, 1 refused');

    // The input is still there for the refused one.
    await console.waitFor(`${row('paged-000')} .status-cell`, 'approved');
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject 1 version');
    const field = '.decision-form textarea';
    expect(await console.page.$eval(field, ({ value }) => value)).toBe('Nobody needs them');
    await console.close();
  });

  it('on many, and marks decided versions and reversals', async () => {
    await submit('mixed-a', 'mixed-b', 'mixed-c');
    await registry.post(packagePath('mixed-a', '/approve'), {}, { token: tokens.bob });
    const console = await open('#/packages?search=mixed-');
    await console.waitFor(row('mixed-a'), 'approved');

    await console.page.click(`${row('mixed-a')} input`);
    await console.press('a');
    await console.waitFor('.decision-form', '1 of 1 is already approved');
    await console.page.waitForSelector('.decision-form .primary:disabled');
    await console.press('Escape');
    await console.page.click(`${row('mixed-b')} input`);
    await console.press('r');

    await console.waitFor('.decision-form', '1 of 2 is approved: this reverses the decision');
    await console.press('Enter');
    expect((await find('mixed-b')).status).toBe('pending');
    await console.page.keyboard.type('Not maintained');
    await console.press('Enter');
    await console.waitFor('.announcement', '2 rejected');
    expect((await find('mixed-a')).status).toBe('rejected');
    await console.close();
  });

  it('never without a focused row', async () => {
    await submit('focus-a', 'focus-b', 'focus-c');
    const console = await open('#/queue?search=focus-');
    await console.waitFor(row('focus-c'), 'focus-c');
    const focused = () =>
      console.page.evaluate("document.activeElement.closest('tr')?.dataset.key ?? ''");

    const seen: unknown[] = [];
    for (const key of ['j', 'a', 'j', 'k']) {
      if (key === 'a') await console.waitForEvidence('focus-a');
      await console.press(key);
      seen.push(await focused());
    }
    await console.waitForEvidence('focus-b');
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject');
    await console.press('Escape');
    await console.page.waitForSelector('.decision-form', { hidden: true });
    seen.push(await focused());

    expect(seen).toEqual(['a', 'b', 'c', 'b', 'b'].map((one) => `npm/focus-${one}/1.0.0`));
    await console.close();
  });

  it('on versions with blocking issues only with a reason, and lists the issues', async () => {
    await submit('blocked');
    await scan('blocked', 'critical', 'high');
    const console = await open(link('blocked'));
    await console.waitFor(
      '.issue-list',
      '1 critical, 1 high vulnerabilities (policy: fail from high).',
    );

    await console.press('a');
    await console.waitFor('.decision-form', 'Why do you approve it anyway?');
    // The browser itself marks the missing field.
    await console.press('Enter');
    expect((await find('blocked')).status).toBe('pending');
    await console.page.keyboard.type('Only used in tests');
    await console.press('Enter');

    await console.waitFor('.decision-summary', 'approved');
    expect(await find('blocked')).toMatchObject({
      ...{ status: 'approved', reason: 'Only used in tests' },
    });
    await console.close();
  });

  it('on no version that a scan reports as malware, and shows the command that does', async () => {
    await submit('malware-a', 'malware-b');
    const vulnerabilities = [{ id: 'MAL-2026-1', severity: 'low' }];
    const path = '/api/v1/security/scans/malware-a';
    await registry.post(path, { tool: 'audit', vulnerabilities }, { token: tokens.ci });
    const console = await open(link('malware-a'));
    await console.waitFor('.issue-list', 'Scans report it as malware: MAL-2026-1.');

    await console.press('a');
    await console.waitFor('.decision-form', 'The console does not approve npm:malware-a@1.0.0.');
    await console.waitFor('.overrides', 'registry approve --accept-recall MAL-2026-1.');
    await console.press('Enter');
    await console.page.waitForSelector('.decision-form', { hidden: true });
    await console.close();

    const many = await open('#/queue?search=malware-');
    await many.waitFor(row('malware-b'), 'malware-b');
    await many.press('j', 'x', 'j', 'x', 'a');
    await many.waitFor('.overrides', '1 version with malware left out');
    await many.press('Enter');
    await expect.poll(async () => (await find('malware-b')).status).toBe('approved');
    expect((await find('malware-a')).status).toBe('pending');
    await many.close();
  });

  /** The overridden issues in the last record of a version. */
  const overriddenOf = async (name: string) => {
    const { history } = (await registry.get(packagePath(name, '/history'))).body;
    return history[0].overridden;
  };

  it('only with the issues of the form, and shows new ones', async () => {
    await submit('raised');
    await scan('raised', 'high');
    const console = await open(link('raised'));
    await console.waitFor('.issue-list', '1 high vulnerability (policy: fail from high).');
    await console.press('a');
    await console.waitFor('.overrides', '1 high vulnerability (policy: fail from high).');
    await console.page.keyboard.type('Only used in tests');
    await scan('raised', 'high', 'critical');

    await console.press('Enter');

    await console.waitFor('.decision-bar [role=alert]', 'its evidence has changed');
    await console.waitFor(
      '.overrides',
      '1 critical, 1 high vulnerabilities (policy: fail from high).',
    );
    expect((await find('raised')).status).toBe('pending');
    // The input is still there.
    await console.press('Enter');
    await console.waitFor('.decision-summary', 'approved');
    expect(await find('raised')).toMatchObject({ reason: 'Only used in tests' });
    expect(await overriddenOf('raised')).toEqual(['scan_failed']);
    await console.close();
  });

  it('at once on versions without blocking issues, unless new ones appeared', async () => {
    await submit('clean');
    const console = await open(link('clean'));
    await console.waitFor('.decision-bar', 'Approve');
    await scan('clean', 'critical');

    await console.press('a');

    await console.waitFor('.decision-bar [role=alert]', 'its evidence has changed');
    await console.waitFor('.issue-list', '1 critical vulnerability (policy: fail from high).');
    expect((await find('clean')).status).toBe('pending');
    await console.press('a');
    await console.waitFor('.overrides', '1 critical vulnerability (policy: fail from high).');
    await console.close();
  });

  it('on many with the issues of each row, and on none with new ones', async () => {
    await submit('each-a', 'each-b', 'each-c', 'each-d');
    await scan('each-b', 'high');
    await scan('each-c', 'high');
    const console = await open('#/queue?search=each-');
    await console.waitFor(row('each-d'), 'each-d');
    await console.press('X');
    await console.press('a');
    await console.waitFor('.overrides', '2 clean, 2 blocked: vulnerabilities 2');
    await console.page.keyboard.type('Only used in tests');
    await scan('each-c', 'high', 'critical');
    await scan('each-d', 'critical');
    const sent: unknown[] = [];
    console.page.on('request', (request) => {
      const { decisions = [] } = JSON.parse(request.postData() ?? '{}');
      sent.push(...decisions.map(({ override }: { override?: unknown }) => override));
    });

    await console.page.click('.decision-form button[value="1"]');

    await console.waitFor('.announcement', '2 approved, 2 refused');
    expect(sent).toEqual([undefined, ['scan_failed'], ['scan_failed'], undefined]);
    const stati = await Promise.all(
      ['each-a', 'each-b', 'each-c', 'each-d'].map(async (name) => (await find(name)).status),
    );
    expect(stati).toEqual(['approved', 'approved', 'pending', 'pending']);
    expect([await overriddenOf('each-a'), await overriddenOf('each-b')]).toEqual([
      [],
      ['scan_failed'],
    ]);
    await console.close();
  });

  it('on many clean ones, and on the others with the issues of the form', async () => {
    await submit('clean-a', 'clean-b', 'clean-c');
    await scan('clean-b', 'high');
    const console = await open('#/queue?search=clean-');
    await console.waitFor(row('clean-c'), 'clean-c');
    const sent: { name: string; override?: unknown }[] = [];
    console.page.on('request', (request) => {
      const { decisions = [] } = JSON.parse(request.postData() ?? '{}');
      sent.push(...decisions);
    });
    await console.press('X', 'a');
    await console.waitFor('.overrides', '2 clean, 1 blocked: vulnerabilities 1');
    await console.waitFor('.decision-form .actions', 'Approve all 3, overriding vulnerabilities');

    // An override needs a reason: the form requires it.
    await console.page.click('.decision-form button[value="1"]');
    expect(sent).toEqual([]);
    await console.waitFor('.decision-form .primary', 'Approve 2 clean versions');
    await console.page.click('.decision-form .primary');

    await console.waitFor('.announcement', '2 approved');
    expect(sent.map(({ name, override }) => [name, override])).toEqual([
      ['clean-a', undefined],
      ['clean-c', undefined],
    ]);
    // The blocked one is still selected.
    await console.waitFor('.bulk-bar', '1 selected');
    expect((await find('clean-b')).status).toBe('pending');
    await console.press('a');
    await console.waitFor('.decision-form .primary', 'Approve, overriding vulnerabilities');
    await console.page.keyboard.type('Only used in tests');
    await console.press('Enter');
    await console.waitFor('.announcement', 'npm:clean-b@1.0.0 approved');
    expect(await overriddenOf('clean-b')).toEqual(['scan_failed']);
    await console.close();
  });

  it('with a chosen expiry date', async () => {
    await submit('ending');
    await scan('ending', 'high');
    const console = await open(link('ending'));
    await console.waitFor('.issue-list', 'vulnerabilit');

    await console.press('a');
    await console.page.type('.decision-form textarea', 'For the migration');
    await console.page.select('.decision-form select', '90');
    await console.page.click('.decision-form .primary');

    await console.waitFor('.decision-summary', 'expires on');
    const days = (Date.parse((await find('ending')).expires_at) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    await console.close();
  });

  it('on a reversal only with a reason', async () => {
    await submit('reversed');
    const console = await open('#/packages/npm/reversed/1.0.0');
    await console.waitFor('.decision-bar', 'Approve');
    await console.page.click('.decision-bar .primary');
    await console.waitFor('.decision-summary', 'approved');

    await console.press('r');
    await console.waitFor('.decision-form', 'Why do you reverse the decision?');
    await console.page.keyboard.type('Not maintained');
    await console.press('Enter');

    await console.waitFor('.decision-summary', 'rejected');
    await console.waitFor('.history', 'Not maintained');
    expect(await find('reversed')).toMatchObject({ status: 'rejected', reason: 'Not maintained' });
    await console.close();
  });

  it("and shows the registry's error beside the button", async () => {
    await submit('raced');
    const console = await open(link('raced'));
    await console.waitFor('.decision-bar', 'Approve');
    await registry.post(packagePath('raced', '/reject'), {}, { token: tokens.bob });

    await console.page.click('.decision-bar .primary');

    await console.waitFor('.decision-bar [role=alert]', 'npm:raced@1.0.0');
    expect((await find('raced')).status).toBe('rejected');
    await console.close();
  });

  it.each([
    ['r', 'approve', 'approved'],
    ['a', 'reject', 'rejected'],
  ])('never against a decision of another reviewer: %s after %s', async (key, other, status) => {
    const name = `overtaken-${other}`;
    await submit(name);
    if (key === 'a') await scan(name, 'high');
    const console = await open(link(name));
    await console.waitFor('.decision-bar', 'Approve');
    await console.press(key);
    await console.waitFor('.decision-form', name);
    // With a reason, the registry would reverse the decision.
    await console.page.keyboard.type('I have my reasons');
    await registry.post(packagePath(name, `/${other}`), {}, { token: tokens.bob });
    await console.waitFor('.decision-summary', 'by bob');

    await console.press('Enter');

    await console.waitFor('.decision-bar [role=alert]', `npm:${name}@1.0.0`);
    expect((await find(name)).status).toBe(status);
    await console.close();
  });

  it('on many, except versions that another reviewer decided', async () => {
    await submit('some-a', 'some-b');
    await scan('some-a', 'high');
    await scan('some-b', 'high');
    const console = await open('#/queue?search=some-');
    await console.waitFor(row('some-b'), 'some-b');
    await console.press('X', 'a');
    await console.waitFor('.overrides', '0 clean, 2 blocked: vulnerabilities 2');
    await console.page.keyboard.type('I have my reasons');
    await registry.post(packagePath('some-b', '/reject'), {}, { token: tokens.bob });
    await console.waitFor(`${row('some-b')} .status-cell`, 'rejected');

    await console.press('Enter');

    await console.waitFor('.announcement', '1 approved, 1 refused');
    expect((await find('some-a')).status).toBe('approved');
    expect((await find('some-b')).status).toBe('rejected');
    await console.close();
  });

  it('on many, and lists the refused ones', async () => {
    await submit('many-a', 'many-b');
    const console = await open('#/queue?search=many-');
    await console.waitFor(row('many-b'), 'many-b');
    await console.press('X');
    await console.waitFor('.bulk-bar', '2 selected');
    await registry.post(packagePath('many-b', '/reject'), {}, { token: tokens.bob });

    await console.press('a');
    await console.page.keyboard.press('Enter');

    await console.waitFor('.announcement', '1 approved, 1 refused');
    expect((await find('many-a')).status).toBe('approved');
    expect((await find('many-b')).status).toBe('rejected');
    await console.close();
  });

  it('on the shown version, and on no other row', async () => {
    await submit('first-in-queue', 'opened-by-link');
    await registry.post(packagePath('opened-by-link', '/approve'), {}, { token: tokens.bob });
    const console = await open('#/queue/npm/opened-by-link/1.0.0?search=first-in-queue');
    await console.waitFor(row('first-in-queue'), 'first-in-queue');
    await console.waitFor('.decision-summary', 'approved');

    await console.press('a');
    await console.press('r');
    await console.waitFor('.decision-form', 'Reject npm:opened-by-link');

    expect((await find('first-in-queue')).status).toBe('pending');
    await console.close();
  });

  it('on the focused row', async () => {
    await submit('tabbed-a', 'tabbed-b');
    const console = await open('#/queue?search=tabbed-');
    await console.waitFor(row('tabbed-b'), 'tabbed-b');

    await console.page.focus(`${row('tabbed-b')} a`);
    await console.waitForEvidence('tabbed-b');
    await console.press('a');

    await console.waitFor(`${row('tabbed-b')} .status-cell`, 'approved');
    expect((await find('tabbed-a')).status).toBe('pending');
    await console.close();
  });

  it('and shows decisions of others without a reload', async () => {
    await submit('shared');
    const console = await open('#/queue?search=shared');
    await console.waitFor(row('shared'), 'shared');

    await registry.post(packagePath('shared', '/approve'), {}, { token: tokens.bob });

    await console.waitFor(`${row('shared')} .status-cell`, 'approved');
    await console.waitFor('.decision-summary', 'by bob');
    await console.close();
  });

  it('and shows new submissions without a reload', async () => {
    const console = await open('#/queue?search=late');
    await console.waitFor('.empty', 'No results');

    await submit('late');

    await console.waitFor(row('late'), 'late');
    await console.close();
  });

  it('on the acceptance of a vulnerability, and withdraws it', async () => {
    await submit('living');
    await scan('living', 'high');
    const console = await open(link('living'));
    await console.waitFor('.vulnerability', 'CVE-2022-1000');

    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('We do not parse what others send');
    await console.page.click('.vulnerability .primary');
    await console.waitFor('.vulnerability.quiet', 'We do not parse what others send');
    await console.waitFor('#scans + .section-body', 'Scans passed');

    await console.page.click('.vulnerability button.plain');
    await console.page.keyboard.type('Now we do');
    await console.page.click('.vulnerability .primary');
    await console.waitFor('#scans + .section-body', 'Scans fail the policy: 1 high');
    await console.close();
  });

  it('nothing without the scope', async () => {
    await submit('untouched');
    const nobody = await open(link('untouched'), {});
    await nobody.waitFor('.decision-bar', 'Sign in to decide');
    await nobody.press('a');
    await nobody.waitFor('.announcement', 'You cannot decide');

    const builds = await open(link('untouched'), { as: 'ci' });
    await builds.waitFor('.decision-bar', 'Your token cannot review');
    const disabled = await builds.page.$$eval('.decision-bar button', (buttons) =>
      buttons.map(({ disabled: isDisabled }) => isDisabled),
    );

    // Submitters can reject their own submissions.
    expect(disabled).toEqual([true, false]);
    expect((await find('untouched')).status).toBe('pending');
    await Promise.all([nobody.close(), builds.close()]);
  });
});
