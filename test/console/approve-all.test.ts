import type { Browser, HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { startBrowser } from '../support/browser.ts';
import { eventually, until } from '../support/eventually.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  type Theme,
  themes,
} from '../support/watched-page.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

/** A request with decisions, as the page sent it. */
interface Sent {
  readonly key: string;
  readonly decisions: readonly Readonly<Record<string, unknown>>[];
}

/** The console with the requests of a run. */
interface Opened extends OpenedConsole {
  readonly sent: Sent[];
  /** Keeps decisions on their way, until `release`. */
  readonly hold: () => void;
  readonly release: () => void;
  /** Answers decisions in place of the registry. */
  readonly answer: (respond: ((request: HTTPRequest, sent: Sent) => unknown) | undefined) => void;
}

const progress = '.run-notice';

describe('the console approves all versions without issues', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true, indexing: true, events: true }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const scan = (name: string, ...severities: readonly string[]) =>
    registry.post(
      `/api/v1/security/scans/${name}`,
      {
        tool: 'audit',
        vulnerabilities: severities.map((severity) => ({ id: 'CVE-2026-1', severity })),
      },
      { token: tokens.ci },
    );

  const countListed = async (query: string): Promise<number> =>
    (await registry.get(`/api/v1/reviews?${query}&limit=1000`)).body.reviews.length;

  /** Submits scanned versions of a batch, and waits until the list of reviews has them. */
  const prepare = async (batch: string, count: number): Promise<string[]> => {
    const names = Array.from(
      { length: count },
      (_, at) => `${batch}-${String(at).padStart(3, '0')}`,
    );
    for (const some of splitInto(50, names)) {
      const packages = some.map((name) => ({ ...version, name, batch }));
      await registry.post('/api/v1/submissions', { packages }, { token: tokens.ci });
    }
    await runInParallel(names, 8, (name) => scan(name));
    await eventually(async () => expect(await countListed(`batch=${batch}`)).toBe(count));
    return names;
  };

  const open = async (hash: string, theme: Theme = 'light'): Promise<Opened> => {
    const console = await openConsole(browser, registry, hash, { as: 'alice', theme });
    await console.page.waitForSelector('a.signed-in-user');
    const sent: Sent[] = [];
    let held: HTTPRequest[] | undefined;
    let respond: ((request: HTTPRequest, one: Sent) => unknown) | undefined;
    console.page.on('request', (request) => {
      const key = request.headers()['idempotency-key'];
      if (key === undefined || !request.url().endsWith('/decisions')) return request.continue();
      const one = { key, ...JSON.parse(request.postData() ?? '{}') };
      sent.push(one);
      if (respond) return respond(request, one);
      return held ? held.push(request) : request.continue();
    });
    await console.page.setRequestInterception(true);
    return {
      ...console,
      sent,
      hold: () => {
        held = [];
      },
      release: () => {
        // A request of a page that was left is gone.
        for (const request of held ?? []) request.continue().catch(() => undefined);
        held = undefined;
      },
      answer: (next) => {
        respond = next;
      },
    };
  };

  /** Opens the form by its key, and starts with Enter. */
  const start = async (console: Opened): Promise<void> => {
    await console.press('A');
    await console.waitFor('.decision-form', 'Approve all versions without issues');
    await console.press('Enter');
    await console.page.waitForSelector(progress);
  };

  it('in steps, stops after a request, and continues a step after a reload', async () => {
    const names = await prepare('steps', 230);
    await scan('steps-007', 'critical');
    await eventually(async () => expect(await countListed('batch=steps&issue=none')).toBe(229));
    const console = await open('#/queue?batch=steps');
    console.hold();
    await start(console);
    await until(() => console.sent.length === 1);
    await console.page.click(`${progress} button`);
    await console.waitFor(progress, 'Stopping after this step');
    console.release();
    await console.waitFor(progress, 'Stopped');
    await console.waitFor(progress, '100 approved.');

    console.hold();
    await console.page.click(`${progress} button::-p-text(Go on)`);
    await until(() => console.sent.length === 2);
    const second = console.sent[1];
    // Evidence that the page has not seen, then a request whose answer is lost.
    const changed = String(second?.decisions[0]?.['name']);
    await scan(changed, 'critical');
    await registry.post(
      '/api/v1/decisions',
      { decisions: second?.decisions },
      { token: tokens.alice, headers: { 'Idempotency-Key': second?.key ?? '' } },
    );
    await console.page.reload();
    await until(() => console.sent.length === 3);
    console.release();

    await console.waitFor(progress, 'Finished');
    await console.waitFor(progress, '228 approved, 1 with new evidence.');
    expect(console.sent.map(({ key }) => key)).toEqual([
      console.sent[0]?.key,
      second?.key,
      second?.key,
      console.sent[3]?.key,
    ]);
    expect(new Set(console.sent.map(({ key }) => key)).size).toBe(3);
    expect(console.sent.flatMap(({ decisions }) => decisions)).not.toContainEqual(
      expect.objectContaining({ override: expect.anything() }),
    );
    const { body } = await registry.get('/api/v1/packages?search=steps&status=pending&limit=100');
    expect(body.packages.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      [changed, 'steps-007'].toSorted(),
    );
    expect((await registry.get(packagePath(names[229] ?? ''))).body.status).toBe('approved');
    await console.page.click(`${progress} button`);
    await console.page.waitForSelector(progress, { hidden: true });
    expect(await console.page.evaluate("sessionStorage.getItem('registry-approve-all')")).toBe(
      null,
    );
    await console.close();
  });

  it('and waits for a sign-in while the token is refused', async () => {
    await prepare('refused', 2);
    const console = await open('#/queue?batch=refused');
    const refusal = await registry.post(packagePath('refused-000', '/approve'), {}, { token: 'x' });
    console.answer((request) =>
      request.respond({ status: refusal.status, body: JSON.stringify(refusal.body) }),
    );
    await start(console);
    await console.waitFor('.session-end', 'Your session has ended');
    await console.waitFor(progress, 'Sign in as alice to go on.');

    console.answer(undefined);
    await console.page.click('.session-end button');
    await console.waitFor('dialog .sheet', 'Your token');
    await console.page.keyboard.type(tokens.alice);
    await console.press('Enter');

    await console.waitFor(progress, '2 approved. Looked at 2.');
    expect(new Set(console.sent.map(({ key }) => key)).size).toBe(1);
    await console.close();
  });

  it('only in the queue, for reviewers, and among versions without issues', async () => {
    const console = await open('#/packages');
    await console.press('A');
    await console.waitFor('.announcement', 'Open the queue');
    await console.page.goto(`${registry.url}/console#/queue?issue=scan_failed`);
    await console.page.waitForSelector('.chip');
    await console.press('A');
    await console.waitFor('.announcement', 'The filter lists only versions with an issue');
    const other = await openConsole(browser, registry, '#/queue', { as: 'ci' });
    await other.page.waitForSelector('a.signed-in-user');
    await other.press('A');
    await other.waitFor('.announcement', 'You cannot decide');
    expect(await other.page.$('.decision-form')).toBe(null);
    await Promise.all([console.close(), other.close()]);
  });

  const pages = 100;

  /** The page of a list of 10,000 versions that a cursor begins. */
  const toPage = (at: number) => ({
    reviews: Array.from({ length: 100 }, (_, row) => ({
      ...version,
      name: `many-${String(at * 100 + row).padStart(5, '0')}`,
      ...{ status: 'pending', issues: [], evidence_version: `evidence ${row}` },
      waits_for: row === 9 ? ['scan'] : ['review'],
    })),
    ...{ looked_at: 100, complete: at + 1 === pages, older_updates: 0 },
    next: at + 1 === pages ? null : String(at + 1),
  });

  const problems: Readonly<Record<string, string>> = {
    '07': 'evidence_changed',
    '08': 'decision_in_force',
  };

  /** The result of a decision: two of 100 are refused. */
  const toResult = ({ ecosystem, name, version: of }: Sent['decisions'][number]) => {
    const code = problems[String(name).slice(-2)];
    if (code) {
      return { status: 409, problem: { status: 409, code, title: code, detail: 'No.' } };
    }
    const approved = { approved_at: '2026-11-28T00:00:00.000Z', approved_token_label: 'alice' };
    return {
      status: 200,
      package: {
        ecosystem,
        name,
        version: of,
        status: 'approved',
        approved_by: 'alice',
        ...approved,
      },
    };
  };

  it('10,000 of them, with one key for each step, also over a reload', async () => {
    const console = await open('#/queue');
    const json = { status: 200, contentType: 'application/json' };
    const cursors: (string | null)[] = [];
    let isHeld = false;
    // In place of the registry, for the run alone.
    console.page.removeAllListeners('request');
    console.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/reviews') && searchParams.get('issue') === 'none') {
        const after = searchParams.get('after');
        cursors.push(after);
        return request.respond({ ...json, body: JSON.stringify(toPage(Number(after ?? 0))) });
      }
      const key = request.headers()['idempotency-key'];
      if (key === undefined) return request.continue();
      const one: Sent = { key, ...JSON.parse(request.postData() ?? '{}') };
      console.sent.push(one);
      if (console.sent.length === 50) {
        isHeld = true;
        return undefined;
      }
      const body = JSON.stringify({ results: one.decisions.map(toResult) });
      return request.respond({ ...json, body });
    });
    await start(console);
    await until(() => isHeld);
    await console.page.waitForSelector(`${progress} progress`);
    await console.page.reload();

    await console.waitFor(progress, 'Finished');

    await console.waitFor(
      progress,
      '9,700 approved, 100 refused, 100 with new evidence, 100 left to automatic checks. Looked at 10,000.',
    );
    expect(console.sent).toHaveLength(pages + 1);
    expect(console.sent[49]).toEqual(console.sent[50]);
    expect(new Set(console.sent.map(({ key }) => key)).size).toBe(pages);
    expect(cursors).toEqual([null, ...Array.from({ length: 99 }, (_, at) => String(at + 1))]);
    for (const { decisions } of console.sent) {
      expect(decisions).toHaveLength(99);
      for (const decision of decisions) {
        expect(Object.keys(decision).toSorted()).toEqual(
          [
            ...['action', 'ecosystem', 'expected_evidence_version', 'expected_status'],
            ...['name', 'version'],
          ].toSorted(),
        );
      }
    }
    await console.close();
  });

  it.each(themes)('without an accessibility violation, in any window: %s', async (theme) => {
    await prepare(`seen-${theme}`, 2);
    const console = await open(`#/queue?batch=seen-${theme}`, theme);
    const judge = async (): Promise<void> => {
      for (const width of [2560, 1440, 768, 320]) {
        await console.page.setViewport({ width, height: 800 });
        expect(describeViolations(await findViolations(console.page)), `${width}`).toEqual([]);
        expect(await measureOverflow(console.page), `${width}`).toBe(0);
      }
    };
    await console.press('A');
    await console.waitFor('.decision-form', 'Approve all versions without issues');
    await judge();
    console.hold();
    await console.press('Enter');
    await until(() => console.sent.length === 1);
    await judge();
    console.release();
    await console.waitFor(progress, 'Finished');
    await judge();
    expect(console.complaints).toEqual([]);
    await console.close();
  });
});
