import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { measureWidth } from '../../cli/output/text.ts';
import type { ScanResult } from '../../shared/api/schemas/scan.ts';
import { CommandLine } from '../support/command-line.ts';
import {
  json,
  problem,
  type Scene,
  type ScriptedServer,
  startScripted,
} from '../support/scripted-server.ts';

let commandLine: CommandLine;
let server: ScriptedServer | undefined;
beforeAll(() => {
  commandLine = CommandLine.install();
});
afterAll(() => commandLine.remove());
afterEach(() => server?.close());

const start = async (...script: readonly Scene[]) => {
  server = await startScripted(...script);
  return { REGISTRY_URL: server.url };
};

const none = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
const toolParts = { label: null, number: 1, confirmed_at: null, reason: null, forced: false };
const foundParts = {
  ...{ aliases: [], summary: 'It is bad.', cvss: null, affected_range: '', fixed_versions: [] },
  ...{ fix_state: null, references: [], components: [], not_affecting: null, source: '' },
  ...{ known_exploited: false, epss: null, found_by: ['trivy'], accepted: null },
};

const mergedScan: ScanResult = {
  ecosystem: 'docker',
  ...{ package: 'acme/shop', version: '2.4.0', status: 'failed', reason: null, omitted: 3 },
  scan_date: '2026-01-31T12:00:00.000Z',
  severity: { ...none, critical: 1, medium: 1 },
  tools_used: ['grype', 'osv-scanner', 'trivy'],
  tools: [
    {
      ...{ ...toolParts, tool: 'trivy', label: 'ci', number: 7, status: 'failed' },
      scan_date: '2026-01-31T12:00:00.000Z',
      confirmed_at: '2026-02-01T06:30:00.000Z',
      severity: { ...none, critical: 1 },
    },
    {
      ...{
        ...toolParts,
        tool: 'osv-scanner',
        number: 6,
        status: 'error',
        reason: 'No image.',
      },
      scan_date: '2026-01-30T12:00:00.000Z',
      severity: { ...none, medium: 1 },
    },
    {
      ...{ ...toolParts, tool: 'grype', number: 5, status: 'error', reason: 'No network' },
      scan_date: '2026-01-29T12:00:00.000Z',
      severity: none,
      forced: true,
    },
  ],
  vulnerabilities: [
    {
      ...{ ...foundParts, id: 'CVE-2021-44906', severity: 'critical', known_exploited: true },
      ...{ components: ['minimist 1.2.5'], fixed_versions: ['1.2.6'] },
      found_by: ['osv-scanner', 'trivy'],
    },
    { ...foundParts, id: 'GHSA-aaaa-bbbb-cccc', severity: 'medium', found_by: ['osv-scanner'] },
    {
      ...{ ...foundParts, id: 'CVE-2022-1', severity: 'high' },
      accepted: {
        ...{ id: 'CVE-2022-1', number: 1, reason: 'Runs without network', by: 'ana@example.com' },
        until: '2027-01-31T00:00:00.000Z',
      },
    },
    {
      ...{ ...foundParts, id: 'CVE-2022-2', severity: 'critical', components: ['left-pad 1.0.0'] },
      not_affecting: { by: 'trivy', reason: 'its code is not called' },
    },
  ],
};

describe('scan show', () => {
  it('shows the results of each tool, then open and not affecting vulnerabilities', async () => {
    const env = await start(json(200, mergedScan));

    const terminal = commandLine.inTerminal(['scan', 'show', 'acme/shop'], { env, columns: 80 });

    expect(await terminal.end()).toBe(0);
    expect(`\n${terminal.page()}`).toMatchInlineSnapshot(`
      "
      docker:acme/shop@2.4.0  failed: 1 critical, 1 medium, 1 accepted, 1 not
      affecting

      Tools
      TOOL         TOKEN  SCAN  STATUS  SCANNED UTC       CONFIRMED UTC     FOUND
      trivy        ci     7     failed  2026-01-31 12:00  2026-02-01 06:30  1 critical
      osv-scanner         6     error   2026-01-30 12:00                    1 medium
      grype               5     error   2026-01-29 12:00                    not known

      The last scan by osv-scanner ended with an error: No image. Its earlier findings
      still count.
      The last scan by grype ended with an error: No network.
      The report by grype names another image, package or version.

      Vulnerabilities
      SEVERITY  ID                   PACKAGE       FIXED IN  FOUND BY       SUMMARY
      critical  CVE-2021-44906       minimist      1.2.6     osv-scanner,   It is bad.
                (exploited)          1.2.5                   trivy
      medium    GHSA-aaaa-bbbb-cccc                none      osv-scanner    It is bad.

      Accepted
      SEVERITY  ID          UNTIL UTC         BY               WHY
      high      CVE-2022-1  2027-01-31 00:00  ana@example.com  Runs without network

      Not affecting
      ID          PACKAGE         BY     WHY
      CVE-2022-2  left-pad 1.0.0  trivy  its code is not called

      3 more do not fit into one answer. --number shows the scan of each tool.
      "
    `);
    expect(terminal.raw()).toContain('\u001b[31mfailed\u001b[39m: 1 critical');
  });

  it.each([60, 30])(
    'fits a terminal of %i columns, and keeps all open vulnerabilities',
    async (columns) => {
      const env = await start(json(200, mergedScan));

      const terminal = commandLine.inTerminal(['scan', 'show', 'acme/shop'], { env, columns });

      expect(await terminal.end()).toBe(0);
      const lines = terminal.page().split('\n');
      expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(columns);
      expect(lines.join(' ')).toContain('still count');
      for (const word of ['CVE-2021-44906', 'minimist', '1.2.6', 'osv-scanner', '2027-01-31']) {
        expect(terminal.screen()).toContain(word);
      }
    },
  );

  it('shows the summaries if they fit, and no severity of vulnerabilities that do not affect the version', async () => {
    const env = await start(json(200, mergedScan));

    const { stdout } = await commandLine.run(['scan', 'show', 'acme/shop'], { env });

    expect(stdout).toMatch(/^critical +CVE-2021-44906 \(exploited\) +.* +It is bad\.$/m);
    expect(stdout).toMatch(/^CVE-2022-2 +left-pad 1\.0\.0 +trivy +its code is not called$/m);
  });

  it('omits labels, confirmations and notes if there are none', async () => {
    const [tool] = mergedScan.tools;
    const clean = {
      ...{ ...mergedScan, status: 'passed', severity: none, vulnerabilities: [], omitted: 0 },
      tools: [{ ...tool, label: null, confirmed_at: null, status: 'passed', severity: none }],
    };
    const env = await start(json(200, clean));

    const { stdout } = await commandLine.run(['scan', 'show', 'acme/shop'], { env });

    expect(stdout).toBe(
      [
        'docker:acme/shop@2.4.0  passed: no open vulnerabilities',
        '',
        'Tools',
        'TOOL   SCAN  STATUS  SCANNED UTC       FOUND',
        'trivy  7     passed  2026-01-31 12:00  nothing',
        '',
      ].join('\n'),
    );
  });

  it("shows the registry's answer as JSON", async () => {
    const env = await start(json(200, mergedScan));

    const { stdout } = await commandLine.run(['scan', 'show', 'acme/shop', '--json'], { env });

    expect(JSON.parse(stdout)).toEqual(mergedScan);
  });

  it('removes control sequences of reports', async () => {
    const [tool] = mergedScan.tools;
    const [vulnerability] = mergedScan.vulnerabilities;
    const hostile = 'a\u001b[2Jb\u202e';
    const env = await start(
      json(200, {
        ...{ ...mergedScan, package: hostile },
        tools: [{ ...tool, tool: hostile, label: hostile, status: 'error', reason: hostile }],
        vulnerabilities: [
          { ...vulnerability, id: hostile, components: [hostile], found_by: [hostile] },
          { ...vulnerability, not_affecting: { by: hostile, reason: hostile } },
        ],
      }),
    );

    const { stdout } = await commandLine.run(['scan', 'show', 'x'], { env });

    expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  });
});

describe('scan show --fail-on', () => {
  const judge = async (what: string, scene: Scene, ...flags: readonly string[]) =>
    commandLine.run(['scan', 'show', 'acme/shop', '--fail-on', what, ...flags], {
      env: await start(scene),
    });
  const withCounts = (severity: object, status = 'warning') =>
    json(200, { ...mergedScan, status, severity: { ...none, ...severity } });

  it.each<[string, object, string]>([
    ['critical', { critical: 1 }, '1 critical'],
    ['high', { critical: 1, high: 2, low: 3 }, '1 critical, 2 high'],
    ['medium', { high: 1 }, '1 high'],
    ['low', { low: 3, unrated: 1 }, '3 low'],
    ['unrated', { low: 3, unrated: 1 }, '3 low, 1 unrated'],
  ])(
    '%s exits with 1 if an open vulnerability is at least that severe',
    async (what, counts, found) => {
      const { code, stdout, stderr } = await judge(what, withCounts(counts));

      expect(code).toBe(1);
      expect(stdout).toContain('docker:acme/shop@2.4.0  warning: ');
      expect(stderr).toBe(`error: docker:acme/shop@2.4.0 has open vulnerabilities: ${found}.\n`);
    },
  );

  it.each<[string, object]>([
    ['critical', { high: 1 }],
    ['high', { medium: 1, low: 1, unrated: 1 }],
    ['low', { unrated: 1 }],
    // Accepted and not affecting vulnerabilities are listed and not counted.
    ['unrated', {}],
  ])('%s exits with 0 if no open vulnerability is: %j', async (what, counts) => {
    expect(await judge(what, withCounts(counts))).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['warning', 'passed', 0],
    ['warning', 'warning', 1],
    ['warning', 'failed', 1],
    ['failed', 'warning', 0],
    ['failed', 'failed', 1],
  ])("%s uses the registry's result: %s", async (what, status, expected) => {
    const { code, stderr } = await judge(what, withCounts({ low: 1 }, status));

    expect(code).toBe(expected);
    expect(stderr).toBe(
      expected === 0
        ? ''
        : `error: docker:acme/shop@2.4.0 has the scan status ${status} (1 low).\n`,
    );
  });

  it.each<[string, Scene, string]>([
    ['was never scanned', problem(404, 'scan_not_found'), 'Told: scan_not_found.'],
    [
      'could not be scanned',
      json(200, { ...mergedScan, status: 'error', reason: 'No network', vulnerabilities: [] }),
      'docker:acme/shop@2.4.0 could not be scanned (No network): its vulnerabilities are not known.',
    ],
    [
      'waits for its scan',
      json(200, { ...mergedScan, status: 'pending', vulnerabilities: [] }),
      'docker:acme/shop@2.4.0 has not been scanned yet: its vulnerabilities are not known.',
    ],
  ])('exits with 1 if a version %s, and says so', async (_, scene, message) => {
    const { code, stderr } = await judge('critical', scene);

    expect(code).toBe(1);
    expect(stderr.split('\n')[0]).toBe(`error: ${message}`);
    expect(stderr).not.toContain('warning:');
  });

  it('shows the merged scan as JSON, with the reason of the failure', async () => {
    const { code, stdout, stderr } = await judge('low', json(200, mergedScan), '--json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(mergedScan);
    expect(JSON.parse(stderr)).toMatchObject({ status: null, code: 'negative_result' });
  });

  it('refuses other words without a request', async () => {
    const { code, stderr } = await judge('severe', json(200, mergedScan));

    expect(code).toBe(2);
    expect(stderr).toContain('critical, high, medium, low, unrated, warning, failed');
    expect(server?.received).toEqual([]);
  });

  it('completes its words', async () => {
    const { stdout } = await commandLine.run([
      ...['__complete', '--', 'scan', 'show', 'x', '--fail-on', ''],
    ]);

    expect(stdout.trim().split('\n')).toEqual([
      ...['critical', 'high', 'medium', 'low', 'unrated', 'warning', 'failed'],
    ]);
  });
});
