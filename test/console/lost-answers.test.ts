import type { Browser, HTTPRequest } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitInto } from '../../shared/util/split-into.ts';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { type OpenedConsole, openConsole, tokenList, tokens } from './open-console.ts';

const version = { ecosystem: 'npm', version: '1.0.0', license: 'MIT' };

/** A request with decisions, as the page sent it. */
interface Sent {
  readonly key: string;
  readonly decisions: readonly { readonly name: string }[];
}

/** What becomes of a request with decisions on its way. */
type OnTheWay = (request: HTTPRequest, sent: Sent) => Promise<unknown>;

const lose: OnTheWay = (request) => request.abort('connectionreset');

describe('where an answer is lost, the console', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, licenses: true }),
      startBrowser(),
    ]);
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  /** One after the other, so that they wait in this order. */
  const submit = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await registry.submit({ ...version, name }, { token: tokens.ci });
  };

  const findStatus = async (name: string): Promise<string> =>
    (await registry.get(packagePath(name))).body.status;

  const row = (name: string): string => `tr[data-key="npm/${name}/1.0.0"] .status-cell`;

  /** Carries out what a page sent, as the registry does whose answer is lost. */
  const carryOut = ({ key, decisions }: Sent) =>
    registry.post(
      '/api/v1/decisions',
      { decisions },
      { token: tokens.alice, headers: { 'Idempotency-Key': key } },
    );

  interface Opened extends OpenedConsole {
    readonly sent: Sent[];
    /** Changes what becomes of decisions on their way. */
    readonly intercept: (onTheWay: OnTheWay | undefined) => void;
    /** Lets the page look versions up again. */
    readonly answerLookUps: () => void;
  }

  /** Opens the queue with the versions whose names begin so. */
  const openQueue = async (prefix: string, last: string): Promise<Opened> => {
    const console = await openConsole(browser, registry, `#/queue?search=${prefix}`, {
      as: 'alice',
    });
    await console.waitFor(row(last), '');
    const sent: Sent[] = [];
    let onTheWay: OnTheWay | undefined;
    let held: HTTPRequest[] | undefined = [];
    const handle = async (request: HTTPRequest): Promise<void> => {
      const key = request.headers()['idempotency-key'];
      const isLookUp = /\/packages\/[^/]+\?ecosystem/.test(request.url());
      if (isLookUp && held) {
        held.push(request);
      } else if (key === undefined) {
        await request.continue();
      } else {
        const one = { key, ...JSON.parse(request.postData() ?? '{}') };
        sent.push(one);
        await (onTheWay ? onTheWay(request, one) : request.continue());
      }
    };
    console.page.on('request', handle);
    await console.page.setRequestInterception(true);
    return {
      ...console,
      sent,
      intercept: (next) => {
        onTheWay = next;
      },
      answerLookUps: () => {
        for (const request of held ?? []) request.continue();
        held = undefined;
      },
    };
  };

  it('looks the version up, and says that it is approved', async () => {
    await submit('made-a');
    const console = await openQueue('made-', 'made-a');
    console.intercept(async (request, sent) => {
      await carryOut(sent);
      await lose(request, sent);
    });
    await console.press('j');
    await console.waitForEvidence('made-a');

    await console.press('a');

    await console.waitFor('.notice', 'No answer for npm:made-a@1.0.0. Checking');
    await console.waitFor(row('made-a'), 'no answer, checking');
    console.answerLookUps();
    await console.waitFor('.announcement', 'npm:made-a@1.0.0 approved by you');
    await console.waitFor(row('made-a'), 'approved');
    await console.page.waitForSelector('.notice', { hidden: true });
    await console.close();
  });

  it('says that a decision is not made yet, and sends it again with the same key', async () => {
    await submit('unmade-a');
    const console = await openQueue('unmade-', 'unmade-a');
    console.intercept(lose);
    await console.press('j');
    await console.waitForEvidence('unmade-a');
    await console.press('a');
    await console.waitFor('.notice', 'Checking');
    console.answerLookUps();
    await console.waitFor('.notice', '1 decision is not made yet: npm:unmade-a@1.0.0.');
    await console.waitFor(row('unmade-a'), 'not made yet');
    // Another decision waits until somebody has settled this one.
    await console.press('r');
    await console.waitFor('.announcement', 'Send or discard it first');
    expect(await findStatus('unmade-a')).toBe('pending');

    console.intercept(undefined);
    await console.page.click('.notice button');

    await console.waitFor(row('unmade-a'), 'approved');
    expect(await findStatus('unmade-a')).toBe('approved');
    expect(new Set(console.sent.map(({ key }) => key)).size).toBe(1);
    await console.close();
  });

  it('says who decided, where that was somebody else', async () => {
    await submit('others-a');
    const console = await openQueue('others-', 'others-a');
    console.intercept(lose);
    await console.press('j');
    await console.waitForEvidence('others-a');
    await console.press('a');
    await console.waitFor('.notice', 'Checking');
    await registry.post(packagePath('others-a', '/reject'), {}, { token: tokens.bob });

    console.answerLookUps();

    await console.waitFor('.notice', '1 decision is not made yet: npm:others-a@1.0.0.');
    await console.waitFor('.decision-summary', 'rejected');
    await console.page.click('.notice .plain');
    await console.waitFor(row('others-a'), 'rejected');
    await console.close();
  });

  it('says that it was made, where it was before somebody else decided', async () => {
    await submit('before-a');
    const console = await openQueue('before-', 'before-a');
    console.intercept(async (request, sent) => {
      await carryOut(sent);
      await lose(request, sent);
    });
    await console.press('j');
    await console.waitForEvidence('before-a');
    await console.press('a');
    await console.waitFor('.notice', 'Checking');
    await registry.post(
      packagePath('before-a', '/reject'),
      { reason: 'Not this one' },
      { token: tokens.bob },
    );
    console.intercept(undefined);

    console.answerLookUps();

    await console.waitFor('.announcement', 'npm:before-a@1.0.0 approved by you');
    await console.waitFor(row('before-a'), 'rejected');
    expect(await findStatus('before-a')).toBe('rejected');
    expect(new Set(console.sent.map(({ key }) => key)).size).toBe(1);
    await console.close();
  });

  it.each([
    [401, 'invalid_token'],
    [429, 'throttled'],
  ])('looks it up, too, where its repetition is refused with %i', async (status, code) => {
    const name = `again-${status}`;
    await submit(name);
    const console = await openQueue(name, name);
    const refused = JSON.stringify({ status, code, title: code, detail: code });
    console.intercept(async (request, sent) => {
      if (console.sent.length > 1) {
        await request.respond({ status, contentType: 'application/json', body: refused });
        return;
      }
      await carryOut(sent);
      await lose(request, sent);
    });
    await console.press('j');
    await console.waitForEvidence(name);

    await console.press('a');

    await console.waitFor('.notice', 'Checking');
    console.answerLookUps();
    await console.waitFor('.announcement', `npm:${name}@1.0.0 approved by you`);
    await console.waitFor(row(name), 'approved');
    if (status === 401) await console.waitFor('.session-end', 'Your session has ended');
    await console.close();
  });

  it('looks many up one by one after an answer of a proxy, and keeps selected what is not made yet', async () => {
    await submit('many-a', 'many-b', 'many-c');
    const console = await openQueue('many-', 'many-c');
    console.intercept(async (request, sent) => {
      await carryOut({ ...sent, decisions: sent.decisions.slice(0, 1) });
      await request.respond({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway' });
    });
    await console.press('X', 'a');
    await console.press('Enter');
    await console.waitFor('.notice', 'No answer for 3 versions. Checking');

    console.answerLookUps();

    await console.waitFor('.announcement', '1 approved, 2 not made yet');
    await console.waitFor(
      '.notice',
      '2 decisions are not made yet: npm:many-b@1.0.0, npm:many-c@1.0.0.',
    );
    await console.waitFor(row('many-a'), 'approved');
    await console.waitFor('.bulk-bar', '2 selected');
    console.intercept(undefined);
    await console.page.click('.notice button');
    await console.waitFor('.announcement', '3 approved');
    expect(await Promise.all(['many-a', 'many-b', 'many-c'].map(findStatus))).toEqual(
      Array(3).fill('approved'),
    );
    expect(new Set(console.sent.map(({ key }) => key)).size).toBe(1);
    await console.close();
  });

  it('offers the later requests of many again after a reload, with their keys', async () => {
    const names = Array.from({ length: 102 }, (_, at) => `parted-${String(at).padStart(3, '0')}`);
    const packages = names.map((name) => ({ ...version, name }));
    for (const some of splitInto(51, packages)) {
      await registry.post('/api/v1/submissions', { packages: some }, { token: tokens.ci });
    }
    const console = await openQueue('parted-', 'parted-050');
    await console.page.click('.more button');
    await console.page.waitForFunction("document.querySelectorAll('tr[data-key]').length === 102");
    // The registry makes the first 100 decisions, and its answer does not come.
    const isDecided = new Promise<void>((resolve) => {
      console.intercept(async (_, sent) => {
        await carryOut(sent);
        resolve();
      });
    });
    await console.press('X', 'r');
    await console.page.keyboard.type('Nobody needs them');
    await console.press('Enter');
    await console.waitFor('.status-cell', 'not sent yet');
    await isDecided;
    const kept = await console.page.evaluate("sessionStorage.getItem('registry-decisions')");
    const [made, open, ...others]: { request: Sent }[] = JSON.parse(String(kept));
    expect(others).toEqual([]);
    const left = (open?.request.decisions ?? []).map(({ name }) => name);
    expect(left).toHaveLength(2);
    console.answerLookUps();
    console.intercept(undefined);

    await console.page.reload();

    const named = left.map((name) => `npm:${name}@1.0.0`).join(', ');
    await console.waitFor('.notice', `2 decisions are not made yet: ${named}.`);
    expect(await Promise.all(left.map(findStatus))).toEqual(['pending', 'pending']);
    await console.page.waitForSelector('.notice button:enabled');
    await console.page.click('.notice button');
    await console.waitFor('.announcement', '2 rejected');
    expect(await Promise.all(left.map(findStatus))).toEqual(['rejected', 'rejected']);
    expect(console.sent.map(({ key }) => key)).toEqual([made?.request.key, open?.request.key]);
    await console.close();
  });
});
