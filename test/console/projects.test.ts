import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { describeViolations, findViolations, measureOverflow } from '../support/watched-page.ts';
import { openConsole, tokenList, tokens } from './open-console.ts';

const hostile = '<img src=x onerror="complain(1)">';

describe('projects in the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  const record = (project: string, body: object) =>
    registry.post(`/api/v1/projects/${project}/snapshots`, body, { token: tokens.ci });
  const used = (name: string, direct = true) => ({
    ...{ ecosystem: 'npm', name, version: '1.0.0', direct },
    files: ['package-lock.json'],
  });

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, indexing: true }),
      startBrowser(),
    ]);
    await registry.submit(
      { ecosystem: 'npm', name: 'shared-by-two', version: '1.0.0' },
      { token: tokens.ci },
    );
    await registry.submit(
      { ecosystem: 'npm', name: 'lonely', version: '1.0.0' },
      { token: tokens.ci },
    );
    await registry.submit(
      { ecosystem: 'npm', name: 'vulnerable', version: '1.0.0' },
      { token: tokens.ci },
    );
    const approval = { expires_in_days: 30 };
    await registry.post(packagePath('vulnerable', '/approve'), approval, { token: tokens.alice });
    const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'critical', summary: 'Bad' }];
    const report = { tool: 'audit', vulnerabilities };
    await registry.post('/api/v1/security/scans/vulnerable', report, { token: tokens.ci });
    await record('web', {
      ref: 'main',
      owner: 'web@example.com',
      versions: [used('vulnerable')],
    });
    const versions = [used('shared-by-two'), used('not-in-the-registry', false)];
    expect(
      await record('shop', { ref: 'main', commit: 'abc123', owner: hostile, versions }),
    ).toMatchObject({
      status: 200,
    });
    await record('shop', { ref: 'next', versions });
    await record('till', { ref: 'main', versions: [used('shared-by-two')] });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  it('are listed with their owners, and open with the status of each version', async () => {
    const console = await openConsole(browser, registry, '#/projects', { as: 'alice' });
    await console.waitFor('.projects .rows', 'shop');
    expect(await console.read('.projects .rows')).toContain('till');
    expect(await console.read('.projects .rows')).toContain('<img src=x');
    expect(describeViolations(await findViolations(console.page))).toEqual([]);

    await console.page.click('.projects .rows a');
    await console.waitFor('.projects h2', 'shop');
    await console.waitFor('.projects .rows', 'shared-by-two');
    const versions = await console.read('.projects .rows');
    expect(versions).toContain('pending');
    expect(versions).toContain('not in the registry');
    expect(versions).toContain('transitive');
    expect(await console.read('.project-refs')).toContain('abc123');
    for (const width of [1280, 320]) {
      await console.page.setViewport({ width, height: 800 });
      expect(await measureOverflow(console.page)).toBe(0);
    }
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('stand in the evidence of a version, and in the form that rejects it', async () => {
    const console = await openConsole(browser, registry, '#/queue/npm/shared-by-two/1.0.0', {
      as: 'bob',
    });
    await console.waitForEvidence('shared-by-two');
    await console.waitFor('section:has(#used-by)', '2 projects');
    expect(await console.read('section:has(#used-by)')).toContain('main, next');
    await console.waitFor('.proposal', 'Used by 2 projects');

    await console.page.click('.decision-bar button::-p-text(Reject)');
    await console.waitFor('.used-by-notice', 'Used by 2 projects: shop');
    expect(await console.read('.used-by-notice')).toContain('till');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  /** Opens the console, and counts its requests for the projects of lists. */
  const openCounted = async (hash: string, options: Parameters<typeof openConsole>[3] = {}) => {
    const asked: string[] = [];
    const console = await openConsole(browser, registry, hash, {
      ...options,
      prepare: async (page) => {
        page.on('request', (request) => {
          if (request.url().endsWith('/project-uses')) asked.push(request.postData() ?? '');
        });
      },
    });
    return { console, asked };
  };
  const usedByOne = 'Used by 1 project (web@example.com)';

  it.each([
    ['versions that need attention', '#/attention', '.list .used-by-label'],
    ['versions of the queue that need attention', '#/queue', '.list .used-by-label'],
    ['the overview', '#/overview', '[aria-labelledby=needs-attention] .used-by-label'],
    ['approvals that expire', '#/overview', '[aria-labelledby=expiring] .used-by-label'],
  ])('stand beside %s, after one request', async (_, hash, selector) => {
    const { console, asked } = await openCounted(hash, { as: 'bob' });

    await console.waitFor(selector, usedByOne);

    expect(asked.map((body) => JSON.parse(body).packages[0])).toEqual([
      { ecosystem: 'npm', name: 'vulnerable', version: '1.0.0' },
    ]);
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    for (const width of [1280, 320]) {
      await console.page.setViewport({ width, height: 800 });
      expect(await measureOverflow(console.page)).toBe(0);
    }
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('stand in the form that rejects several versions, with the versions that they use', async () => {
    const { console } = await openCounted('#/queue', { as: 'bob' });
    await console.press('X', 'r');

    await console.waitFor('.used-by-notice', 'Projects use 1 of 2 versions');
    const notice = await console.read('.used-by-notice');
    expect(notice).toContain('shared-by-two 1.0.0: 2 projects: shop');
    expect(notice).toContain('till');
    expect(notice).not.toContain('lonely');
    expect(describeViolations(await findViolations(console.page))).toEqual([]);
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it.each(['#/attention', '#/overview'])(
    'are not requested without a sign-in: %s',
    async (hash) => {
      const { console, asked } = await openCounted(hash);
      await console.waitFor(
        hash === '#/attention' ? '.list' : '[aria-labelledby=expiring]',
        'vulnerable',
      );

      expect(await console.page.$('.used-by-label')).toBeNull();
      expect(asked).toEqual([]);
      await console.close();
    },
  );

  it('are not named where no project uses a version', async () => {
    const console = await openConsole(browser, registry, '#/queue/npm/lonely/1.0.0', { as: 'bob' });
    await console.waitForEvidence('lonely');
    await console.waitFor('section:has(#used-by)', 'No recorded project');
    await console.close();
  });

  it('are visible only after a sign-in', async () => {
    const console = await openConsole(browser, registry, '#/projects');
    await console.waitFor('.empty', 'Sign in');
    expect(await console.page.$('.projects')).toBeNull();
    await console.close();
    const evidence = await openConsole(browser, registry, '#/queue/npm/shared-by-two/1.0.0');
    await evidence.waitForEvidence('shared-by-two');
    await evidence.waitFor('section:has(#used-by)', 'Sign in');
    expect(await evidence.read('section:has(#used-by)')).not.toContain('shop');
    expect(evidence.complaints).toEqual([]);
    await evidence.close();
  });
});
