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

/** Where a tab stores its run, as an expression of the page. */
const storageKey = "'registry-approve-all ' + location.origin";

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

  /** Counts the versions of a list, which has at most 100 on a page. */
  const countListed = async (query: string, after = ''): Promise<number> => {
    const path = `/api/v1/reviews?${query}&limit=100${after && `&after=${encodeURIComponent(after)}`}`;
    const { reviews, next } = (await registry.get(path)).body;
    return reviews.length + (next === null ? 0 : await countListed(query, next));
  };

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
    expect(await console.page.evaluate(`sessionStorage.getItem(${storageKey})`)).toBe(null);
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
    await console.waitFor(
      progress,
      'Sign in as alice, with the token or account that started this approval, to go on.',
    );

    console.answer(undefined);
    await console.page.click('.session-end button');
    await console.page.locator('dialog .sheet input').fill(tokens.alice);
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
    // A view takes keys a moment after it is drawn, and so at the latest when its list is loaded.
    await console.page.waitForSelector('.list:has(.chip) .list-body[aria-busy=false]');
    await console.press('A');
    await console.waitFor('.announcement', 'The filter lists only versions with an issue');
    await console.page.goto(`${registry.url}/console#/queue?search=fi`);
    await console.page.waitForSelector('.list:not(:has(.chip)) .list-body[aria-busy=false]');
    await console.press('A');
    await console.waitFor('.announcement', 'Clear the search first');
    // The filters change while the form is open.
    await console.page.goto(`${registry.url}/console#/queue`);
    await console.page.waitForFunction(
      "document.querySelector('.list input[type=search]')?.value === ''",
    );
    await console.press('A');
    await console.waitFor('.decision-form', 'Lists have no warnings about dependencies');
    await console.page.evaluate("location.hash = '#/queue?issue=scan_failed'");
    await console.page.waitForSelector('.chip');
    await console.press('Enter');
    await console.waitFor('.announcement', 'The filter lists only versions with an issue');
    expect(await console.page.$(progress)).toBe(null);
    const other = await openConsole(browser, registry, '#/queue', { as: 'ci' });
    await other.page.waitForSelector('a.signed-in-user');
    await other.press('A');
    await other.waitFor('.announcement', 'You cannot decide');
    expect(await other.page.$('.decision-form')).toBe(null);
    await Promise.all([console.close(), other.close()]);
  });

  /** The page of a list with 100 versions a page that a cursor begins. */
  const toPage = (at: number, pages: number) => ({
    reviews: Array.from({ length: 100 }, (_, row) => ({
      ...version,
      name: `many-${String(at * 100 + row).padStart(5, '0')}`,
      ...{ status: 'pending', issues: [], evidence_version: `evidence ${row}`, older_updates: [] },
      ...{ waits_for: row === 9 ? ['scan'] : ['review'], submitted_at: '2026-01-01T00:00:00.000Z' },
    })),
    ...{ looked_at: 100, complete: at + 1 === pages, older_updates: 0 },
    next: at + 1 === pages ? null : String(at + 1),
  });

  const problems: Readonly<Record<string, string>> = {
    '07': 'evidence_changed',
    '08': 'decision_in_force',
  };

  const refuse = (status: number, code: string) => ({
    status,
    problem: { status, code, title: code, detail: 'No.' },
  });

  /** The result of a decision: two of 100 are refused. */
  const toResult = ({ ecosystem, name, version: of }: Sent['decisions'][number]) => {
    const code = problems[String(name).slice(-2)];
    if (code) return refuse(409, code);
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

  const json = { status: 200, contentType: 'application/json' };

  const respondWith = (request: HTTPRequest, body: object, status = 200) =>
    request.respond({ ...json, status, body: JSON.stringify(body) });

  const decideMany = (request: HTTPRequest, { decisions }: Sent) =>
    respondWith(request, { results: decisions.map(toResult) });

  /** Opens the queue, with pages of many versions in place of the registry's, for the run alone. */
  const openMany = async (
    pages: number,
    {
      decide = decideMany,
      readHeld = (request) => request.continue(),
    }: {
      readonly decide?: (request: HTTPRequest, one: Sent, sent: readonly Sent[]) => unknown;
      readonly readHeld?: (request: HTTPRequest) => unknown;
    } = {},
  ) => {
    const console = await open('#/queue');
    // The total of the progress.
    await console.page.waitForFunction(
      'document.querySelector(\'nav a[href="#/queue"] .count\')?.textContent',
    );
    const cursors: (string | null)[] = [];
    console.page.removeAllListeners('request');
    console.page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/reviews') && searchParams.get('issue') === 'none') {
        const after = searchParams.get('after');
        cursors.push(after);
        return respondWith(request, toPage(Number(after ?? 0), pages));
      }
      if (pathname.endsWith('/held-recalls')) return readHeld(request);
      const key = request.headers()['idempotency-key'];
      if (key === undefined) return request.continue();
      const one: Sent = { key, ...JSON.parse(request.postData() ?? '{}') };
      console.sent.push(one);
      return decide(request, one, console.sent);
    });
    return { ...console, cursors };
  };

  it('10,000 of them, with one key for each step, also over a reload', async () => {
    const pages = 100;
    let isHeld = false;
    const console = await openMany(pages, {
      decide: (request, one, sent) => {
        if (sent.length !== 50) return decideMany(request, one);
        isHeld = true;
        return undefined;
      },
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
    const { cursors, sent } = console;
    expect(sent).toHaveLength(pages + 1);
    expect(sent[49]).toEqual(sent[50]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(pages);
    expect(cursors).toEqual([null, ...Array.from({ length: 99 }, (_, at) => String(at + 1))]);
    for (const { decisions } of sent) {
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

  it('for the user who started it, and goes on when this user comes back', async () => {
    const held: (readonly [HTTPRequest, Sent])[] = [];
    const console = await openMany(3, {
      decide: (request, one, sent) =>
        sent.length <= 2 ? held.push([request, one]) : decideMany(request, one),
    });
    const signOut = () => console.page.click('button::-p-text(Sign out)');
    const signIn = async (token: string): Promise<void> => {
      await console.page.locator('.frame-main input').fill(token);
      await console.press('Enter');
      await console.page.waitForSelector('button::-p-text(Sign out)');
    };
    const wait =
      'Sign in as alice, with the token or account that started this approval, to go on.';
    await start(console);
    await until(() => held.length === 1);
    await console.page.evaluate("location.hash = '#/sign-in'");
    await console.page.waitForSelector('button::-p-text(Sign out)');
    await signOut();
    for (const [request, one] of held) await decideMany(request, one);
    await console.waitFor(progress, '97 approved');
    await console.waitFor(progress, wait);
    await signIn(tokens.bob);
    await console.waitFor(progress, wait);
    expect(console.cursors).toEqual([null]);

    await signOut();
    await signIn(tokens.alice);
    await until(() => held.length === 2);
    // The answer to a request of the session before: it neither stops the run nor ends it in silence.
    await signOut();
    await signIn(tokens.alice);
    await respondWith(held[1]?.[0] as HTTPRequest, refuse(400, 'invalid').problem, 400);

    await console.waitFor(progress, '291 approved, 3 refused, 3 with new evidence');
    expect(console.cursors).toEqual([null, '1', '2']);
    expect(console.sent[1]).toEqual(console.sent[2]);
    await console.close();
  });

  it('counts what it leaves out and what the registry cannot answer, and says why it stops', async () => {
    let areReadable = true;
    const record = { record: 'MAL-2026-3', ecosystem: 'npm', packages: ['many-00004'] };
    const console = await openMany(1, {
      decide: (request, { decisions }) => {
        const results = decisions.map((one) =>
          one['name'] === 'many-00006' ? refuse(500, 'internal_error') : toResult(one),
        );
        return respondWith(request, { results });
      },
      readHeld: (request) =>
        areReadable
          ? respondWith(request, { held_recalls: [{ ...record, confirmed: null }], next: null })
          : respondWith(request, refuse(403, 'forbidden').problem, 403),
    });
    await start(console);
    await console.waitFor(
      progress,
      '95 approved, 1 refused, 1 with new evidence, 1 with an unknown result, 1 under a held record of malware, 1 left to automatic checks. Looked at 100.',
    );
    expect(console.sent[0]?.decisions).not.toContainEqual(
      expect.objectContaining({ name: 'many-00004' }),
    );

    areReadable = false;
    const count = console.sent.length;
    await start(console);
    await console.waitFor('.announcement', 'The approval of all versions stopped: No.');
    await console.waitFor(progress, 'Stopped');
    expect(console.sent).toHaveLength(count);

    // A tab that the browser restores after a while does not begin by itself.
    areReadable = true;
    await console.page.evaluate(
      `sessionStorage.setItem(${storageKey}, JSON.stringify({...JSON.parse(sessionStorage.getItem(${storageKey})), stage: 'running', changedAt: Date.now() - 61_000}))`,
    );
    await console.page.reload();
    await console.waitFor(progress, 'Stopped');
    await console.page.waitForSelector('a.signed-in-user');
    expect(console.sent).toHaveLength(count);
    await console.page.click(`${progress} button::-p-text(Go on)`);
    await console.waitFor(progress, 'Finished');
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
