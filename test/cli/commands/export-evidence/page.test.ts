import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writePage } from '../../../../cli/commands/export-evidence/page/page.ts';
import type { EvidenceReport } from '../../../../cli/commands/export-evidence/report.ts';
import { startBrowser } from '../../../support/browser.ts';
import { exampleReport } from '../../../support/evidence-report.ts';
import {
  describeViolations,
  findViolations,
  measureOverflow,
  openPage,
  watchComplaints,
} from '../../../support/watched-page.ts';

let browser: Browser;
let folder: string;
beforeAll(async () => {
  browser = await startBrowser();
  folder = mkdtempSync(join(tmpdir(), 'registry-evidence-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await browser.close();
});

/** Opens a report from a file, and records its requests and errors. */
const openReport = async (report: EvidenceReport, { width = 1280 } = {}) => {
  const file = join(folder, `${crypto.randomUUID()}.html`);
  writeFileSync(file, writePage(report));
  const page = await openPage(browser, { width });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const complaints = await watchComplaints(page);
  const address = pathToFileURL(file).href;
  await page.goto(address);
  return { page, complaints, requests: requests.filter((url) => url !== address) };
};

const textOf = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`);

/** Replaces every text of a report that others write, in all depths. */
const replaceTexts = (value: unknown, text: string): unknown => {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, replaceTexts(one, text)]),
  );
};

describe('the page of a report', () => {
  it('answers five questions at the top, without scripts, requests and errors', async () => {
    const { page, complaints, requests } = await openReport(exampleReport);

    const answers = String(await textOf(page, '.answers'));
    expect(await textOf(page, 'h1')).toBe('npm:lodash@4.17.20 approved');
    for (const text of [
      'security@example.com (token security-team)',
      'The token ci submitted the version, and the token security-team approved it.',
      '2026-11-03 14:05:00 UTC, until 2027-11-03 14:05:00 UTC.',
      'scan 1 by a-scanner (token ci), 2026-11-02 03:00:00 UTC: failed (1 high)',
      'scan_failed overridden by security@example.com (token security-team)',
      'CVE-2021-23337 by security-team until 2027-02-01 00:00:00 UTC, in all versions of npm:lodash: Templates come from us alone',
      'Open vulnerabilities: 1 high → 1 critical',
      'New open vulnerabilities: CVE-2026-1001',
      'Later entries in the history: 2',
    ]) {
      expect(answers).toContain(text);
    }
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  it('keeps its data readable for programs', async () => {
    const { page } = await openReport(exampleReport);

    const data = await page.evaluate('document.querySelector("#evidence-report").textContent');

    expect(JSON.parse(String(data))).toEqual(exampleReport);
  });

  it('meets the accessibility rules, and fits a telephone', async () => {
    const { page } = await openReport(exampleReport, { width: 390 });

    expect(describeViolations(await findViolations(page))).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
  });

  it('prints on A4 pages, with heads of tables on each page', async () => {
    const entries = Array.from({ length: 120 }, (_, at) => ({
      ...(exampleReport.history[0] as EvidenceReport['history'][number]),
      id: `entry-${at}`,
    }));
    const { page } = await openReport({
      ...exampleReport,
      history: [...entries, ...exampleReport.history],
    });

    const pdf = Buffer.from(await page.pdf({ preferCSSPageSize: true })).toString('latin1');

    // A4 in points, as the style sheet of the page says.
    const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
    expect(boxes.length).toBeGreaterThan(3);
    for (const [, width, height] of boxes) {
      expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
    }
    await page.emulateMediaType('print');
    const display = 'getComputedStyle(document.querySelector("thead")).display';
    expect(await page.evaluate(display)).toBe('table-header-group');
  });

  it('names the parts that it lacks before everything else', async () => {
    const gaps = [{ part: 'license record', message: 'The registry did not return it: Late.' }];

    const { page } = await openReport({ ...exampleReport, gaps });

    expect(await textOf(page, '.gaps')).toBe(
      'This report is incomplete\nlicense record: The registry did not return it: Late.',
    );
  });

  it('says that nobody approved a version without an approval', async () => {
    const history = exampleReport.history.filter(({ type }) => type === 'package.submitted');

    const detail = { ...exampleReport.evidence.package, approved_at: null };
    const evidence = { ...exampleReport.evidence, package: detail };

    const { page } = await openReport({ ...exampleReport, evidence, history });

    expect(await textOf(page, '.answers')).toContain('Nobody. The version was never approved.');
  });
});

const hostile = [
  '</script><script>complain("script")</script>',
  '"><img src="https://attacker.example/x" onerror="complain(1)">',
  "' onmouseover='complain(1)' x='",
  '</style><style>@import "https://attacker.example/y";</style>',
  '<!--<script>',
  '`$' + '{complain(1)}`',
  'javascript:complain(1)',
  '<base href="https://attacker.example/"><meta http-equiv="refresh" content="0;url=https://attacker.example">',
  '\\27\\3c/style\\3e"}body{background:url(https://attacker.example/z)}',
  'safe\u202etxt.exe\u0000\u0007\ud800\u2028',
];

describe('text of others', () => {
  it.each(hostile)('stays text: %j', async (text) => {
    const evil = replaceTexts(exampleReport, text) as EvidenceReport;
    const kept = {
      ...evil,
      // The dates and types decide what the page shows; the texts inside stay hostile.
      history: evil.history.map((entry, at) => ({
        ...entry,
        type: exampleReport.history[at]?.type ?? entry.type,
        at: exampleReport.history[at]?.at ?? entry.at,
      })),
    };

    const { page, complaints, requests } = await openReport(kept);

    const found = await page.evaluate(`JSON.stringify({
      elements: [...new Set([...document.querySelectorAll('*')].map(({ localName }) => localName))],
      attributes: [...new Set([...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()))],
      links: [...document.querySelectorAll('a')].map((one) => one.getAttribute('href')).filter((href) => !href.startsWith('#')),
      scripts: [...document.querySelectorAll('script')].map(({ type }) => type),
      styles: document.querySelectorAll('style').length,
      metas: document.querySelectorAll('meta').length,
      data: document.querySelector('#evidence-report').textContent,
    })`);
    const { elements, attributes, links, scripts, styles, metas, data } = JSON.parse(String(found));
    const plain = await openReport(exampleReport);
    const usual = JSON.parse(
      String(
        await plain.page.evaluate(`JSON.stringify({
        elements: [...new Set([...document.querySelectorAll('*')].map(({ localName }) => localName))],
        attributes: [...new Set([...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()))],
      })`),
      ),
    );
    expect(elements.filter((one: string) => !usual.elements.includes(one))).toEqual([]);
    expect(attributes.filter((one: string) => !usual.attributes.includes(one))).toEqual([]);
    expect({ links, scripts, styles, metas }).toEqual({
      ...{ links: [], scripts: ['application/json'], styles: 1, metas: 5 },
    });
    expect(JSON.parse(data)).toEqual(kept);
    expect({ complaints, requests }).toEqual({ complaints: [], requests: [] });
  });

  it('shows hidden characters by their code points', async () => {
    const [entry, ...others] = exampleReport.history;
    const history = [
      { ...(entry as EvidenceReport['history'][number]), reason: 'abc\u202edef' },
      ...others,
    ];

    const { page } = await openReport({ ...exampleReport, history });

    expect(await textOf(page, '#history')).toContain('abc<U+202E>def');
  });

  it('links to web addresses alone, without a user in front of the host', async () => {
    const facts = exampleReport.evidence.facts;
    const report = (homepage: string): EvidenceReport => ({
      ...exampleReport,
      evidence: { ...exampleReport.evidence, facts: facts && { ...facts, homepage } },
    });
    const linked = async (homepage: string): Promise<unknown> => {
      const { page } = await openReport(report(homepage));
      return page.evaluate(
        `[...document.querySelectorAll('#upstream dl:first-of-type a')].some(({ textContent }) => textContent === ${JSON.stringify(homepage)})`,
      );
    };

    expect(await linked('https://example.com/a?b=<c>')).toBe(true);
    expect(await linked('https://example.com@attacker.example/')).toBe(false);
    expect(await linked('javascript:alert(1)')).toBe(false);
    expect(await linked('data:text/html,x')).toBe(false);
  });
});
