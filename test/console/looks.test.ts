import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routesByName } from '../../shared/api/all-routes.ts';
import { changes, evidence } from '../../shared/api/openapi/examples/review.ts';
import { operationDocs } from '../../shared/api/openapi/operation-docs.ts';
import type { Route } from '../../shared/api/route.ts';
import { startBrowser } from '../support/browser.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import {
  describeViolations,
  findViolations,
  measureDepth,
  measureOverflow,
  themes,
} from '../support/watched-page.ts';
import { type OpenedConsole, openConsole, tokenList } from './open-console.ts';
import { longName, shownViews } from './shown-views.ts';

/** A folder for an image of each view, for people to look at. Without it, no images are made. */
const imageFolder = process.env['CONSOLE_IMAGES'];

/** The widths of windows. People look at others, between the smallest and the largest one. */
const widths = imageFolder === undefined ? [2560, 1440, 768, 320] : [2560, 1440, 1024, 390];

/** Writes an image of the page, such as `07-queue-dark-1440.png`. */
const writeImage = async (page: Page, name: string): Promise<void> => {
  if (imageFolder === undefined) return;
  mkdirSync(imageFolder, { recursive: true });
  writeFileSync(join(imageFolder, `${name}.png`), await page.screenshot());
};

const table: Readonly<Record<string, Route>> = routesByName;
/** The examples of the OpenAPI document, with changes in the evidence. */
const examples: Readonly<Record<string, { readonly answer: unknown }>> = {
  ...operationDocs,
  showEvidence: { answer: { ...evidence, changes: { ...changes, unknown: ['license'] } } },
};

/** Returns the example answer for a request. */
const findExample = (method: string, path: string): unknown => {
  const name = Object.keys(table).find((one) => {
    const row = table[one];
    return row?.method === method && toPattern(row.path).test(path);
  });
  return name === undefined ? undefined : examples[name]?.answer;
};

const toPattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);

/** An answer with every text replaced. */
const rewrite = (
  value: unknown,
  write: (text: string, field: string) => string,
  field = '',
): unknown => {
  if (typeof value === 'string') return write(value, field);
  if (Array.isArray(value)) return value.map((one) => rewrite(one, write, field));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, rewrite(one, write, name)]),
  );
};

/** Answers the requests of a page in place of the registry. */
const answerInstead = async (page: Page, answer: (example: unknown) => unknown): Promise<void> => {
  const handle = (request: HTTPRequest): void => {
    const { pathname } = new URL(request.url());
    const example = findExample(request.method(), pathname);
    if (example === undefined || pathname.endsWith('/events')) {
      request.continue();
      return;
    }
    const body = JSON.stringify(answer(example));
    request.respond({ status: 200, contentType: 'application/json', body });
  };
  page.on('request', handle);
  await page.setRequestInterception(true);
};

describe('the console in a browser', () => {
  let registry: TestRegistry;
  let browser: Browser;

  beforeAll(async () => {
    [registry, browser] = await Promise.all([
      TestRegistry.start({ tokens: tokenList, events: true, indexing: true }),
      startBrowser(),
    ]);
    const [, alice] = /alice:([^,]+)/.exec(tokenList) ?? [];
    for (const version of ['1.2.0', '1.3.0']) {
      await registry.submit({ ecosystem: 'npm', name: 'left-pad', version }, { token: alice });
    }
    const long = { ecosystem: 'npm', name: longName, version: '1.0.0' };
    await registry.submit(long, { token: alice });
    const vulnerabilities = [{ id: 'CVE-2022-1', severity: 'high', summary: 'Too much' }];
    const report = { tool: 'audit', vulnerabilities };
    const path = '/api/v1/security/scans/left-pad?version=1.3.0';
    await registry.post(path, report, { token: alice });
    await registry.submit(
      { ecosystem: 'npm', name: 'failing', version: '1.0.0' },
      { token: alice },
    );
    await registry.post(packagePath('failing', '/approve'), {}, { token: alice });
    await registry.post('/api/v1/security/scans/failing', report, { token: alice });
    const used = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0', direct: false };
    const snapshot = { ref: 'main', commit: 'abc123', owner: longName, versions: [used] };
    await registry.post('/api/v1/projects/shop/snapshots', snapshot, { token: alice });
  });
  afterAll(() => Promise.all([browser?.close(), registry?.close()]));

  const judge = async ({ page }: OpenedConsole, width: number, isLong = false) => {
    await page.setViewport({ width, height: 800 });
    return {
      violations: describeViolations(await findViolations(page)),
      overflow: await measureOverflow(page),
      // Its parts scroll, and text for screen readers does not lengthen them.
      depth: await measureDepth(page, isLong ? ['html'] : ['html', 'main']),
    };
  };

  it.each(themes)(
    'has no accessibility violation on any view, and fits any window: %s',
    async (theme) => {
      const console = await openConsole(browser, registry, '#/sign-in', { as: 'alice', theme });
      for (const [at, view] of shownViews.entries()) {
        const { hash, sign, text, keys = [], click, isLong } = view;
        await console.page.setViewport({ width: 1280, height: 800 });
        // A selection stays over views.
        await console.page.evaluate(
          "for (const key of Object.keys(sessionStorage)) if (key.startsWith('registry-basket')) sessionStorage.removeItem(key)",
        );
        await console.page.goto('about:blank');
        await console.page.goto(`${registry.url}/console${hash}`);
        if (click || keys.length > 0) await console.waitFor('.history', 'submitted');
        await console.press(...keys);
        if (click) await console.page.click(click);
        await console.waitFor(sign, text);
        for (const width of widths) {
          const found = await judge(console, width, isLong);
          expect(found, `${hash} ${keys}${click ?? ''}, ${width} wide`).toEqual({
            violations: [],
            overflow: 0,
            depth: 0,
          });
          const name = hash.replaceAll(/\W+/g, '-').slice(1, 24);
          await writeImage(
            console.page,
            `${String(at).padStart(2, '0')}-${name}-${theme}-${width}`,
          );
        }
      }
      await console.close();
    },
  );

  it.each(themes)('has no accessibility violation without sign-in: %s', async (theme) => {
    for (const [hash, sign, text] of [
      ['#/sign-in', '.sheet', 'Your token'],
      ['#/queue', '.decision-bar', 'Sign in to decide'],
    ] as const) {
      const console = await openConsole(browser, registry, hash, { theme });
      await console.waitFor(sign, text);
      expect(await judge(console, 1280)).toEqual({ violations: [], overflow: 0, depth: 0 });
      await console.close();
    }
  });

  const hostile: readonly (readonly [what: string, text: string])[] = [
    ['markup', '<img src=x onerror="complain(1)"><svg onload="complain(2)"></svg><b>bold</b>'],
    ['a script', '"\'></script><script>complain(3)</script>'],
    ['an address that is a script', 'javascript:complain(4)//https://example.com/'],
    ['an address that is a page', 'data:text/html,<script>complain(5)</script>'],
    [
      'text in another direction',
      '\u202e\u2066gpj.exe\u2069\u200f \u05d0\u05d1\u05d2 \u200b\u0007',
    ],
    ['10,000 characters', 'x'.repeat(10_000)],
    ['10,000 letters with marks', 'e\u0301'.repeat(5_000)],
    ['letters under stacks of marks', `e${'\u0301'.repeat(40)} `.repeat(100)],
    ['a part of the language', '__proto__'],
  ];

  /** Values that the registry generates and the console uses. */
  const own = ['ecosystem', 'status', 'license_status', 'severity', 'code', 'type', 'next'];

  /** Returns the elements that a text could have become. */
  const findPlanted = (page: Page): Promise<unknown> =>
    page.evaluate(
      `[...document.querySelectorAll('img, svg, iframe, object, embed, form[action], script:not([src]), [onerror], [onload], [style*=url]')].map((one) => one.outerHTML)`,
    );

  /** The views without a list of versions beside the package, each with a part that has loaded. */
  const pages = [
    ['#/overview', '[aria-labelledby=recalls] .rows'],
    ['#/vulnerability?id=CVE-2022-1', '.page .rows li'],
    ['#/incidents', '.held-record'],
    ['#/expirations', '.page .rows li'],
    ['#/projects', '.projects .rows li'],
    ['#/projects?project=shop', '.projects .rows li'],
  ] as const;

  it.each(hostile)('shows %s on every page as text', async (_, text) => {
    const console = await openConsole(browser, registry, '#/sign-in', { as: 'alice' });
    await answerInstead(console.page, (example) =>
      rewrite(example, (said, field) => (own.includes(field) ? said : text)),
    );

    for (const [hash, loaded] of pages) {
      await console.page.setViewport({ width: 1280, height: 400 });
      await console.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await console.page.waitForSelector(loaded);
      expect(await findPlanted(console.page), hash).toEqual([]);
      for (const width of [1280, 320]) {
        await console.page.setViewport({ width, height: 400 });
        expect(await measureOverflow(console.page), `${hash}, ${width} wide`).toBe(0);
      }
    }
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it.each(hostile)('shows %s in every field as text', async (_, text) => {
    const console = await openConsole(browser, registry, '#/sign-in');
    await answerInstead(console.page, (example) =>
      rewrite(example, (said, field) => (own.includes(field) ? said : text)),
    );

    await console.page.goto('about:blank');
    await console.page.goto(`${registry.url}/console#/queue`);
    await console.page.waitForSelector('.history li');
    await console.page.waitForSelector('.changes li');
    await console.page.$$eval('details', (all) => {
      for (const one of all) one.setAttribute('open', '');
    });

    // Stacked combining characters would cover the text above.
    const said = await console.page.$$eval('h2 bdi, .quoted-text, tr .name', (all) =>
      all.map(({ textContent }) => textContent).join(' '),
    );
    expect(said).not.toMatch(/\p{M}{5}/u);
    const planted = await findPlanted(console.page);
    const protocols = await console.page.$$eval('a', (links) =>
      links.map(({ protocol }) => protocol),
    );
    expect(planted).toEqual([]);
    expect(protocols.filter((protocol) => protocol !== 'http:' && protocol !== 'https:')).toEqual(
      [],
    );
    for (const width of [1280, 320]) {
      await console.page.setViewport({ width, height: 400 });
      expect(await measureOverflow(console.page), `${width} wide`).toBe(0);
      expect(await measureDepth(console.page), `${width} wide`).toBe(0);
      const heights = await console.page.$$eval('tr[data-key]', (rows) =>
        rows.map((row) => row.getBoundingClientRect().height),
      );
      expect(Math.max(0, ...heights), `${width} wide`).toBeLessThan(80);
    }
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('keeps working with unknown values in answers', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    await answerInstead(console.page, (example) => rewrite(example, () => 'constructor'));

    await console.page.goto('about:blank');
    await console.page.goto(`${registry.url}/console#/queue`);

    await console.page.waitForSelector('tr[data-key]');
    expect(console.complaints).toEqual([]);
    await console.close();
  });

  it('sends no referrer to other sites', async () => {
    const console = await openConsole(browser, registry, '#/sign-in');
    await answerInstead(console.page, (example) => example);
    await console.page.goto('about:blank');
    await console.page.goto(`${registry.url}/console#/queue`);
    await console.page.waitForSelector('.external-link');

    const links = await console.page.$$eval('.external-link', (all) =>
      all.map((one) => [one.getAttribute('rel'), one.getAttribute('target')]),
    );

    expect(links).toEqual(links.map(() => ['noreferrer noopener', '_blank']));
    await console.close();
  });
});
