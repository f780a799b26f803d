import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvidenceReport } from '../../../../cli/commands/export-evidence/report.ts';
import { CommandLine } from '../../../support/command-line.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import { json, problem, startScripted } from '../../../support/scripted-server.ts';

const [submitter, reviewer] = ['submitter', 'reviewer'].map(
  (label) => `${label}-token-of-more-than-thirty-two-characters`,
);

let registry: TestRegistry;
let commandLine: CommandLine;
const name = '@acme/pad';
const version = '1.0.0';
const scans = `/api/v1/security/scans/${encodeURIComponent(name)}?version=${version}`;

const report = (...ids: string[]) => ({
  tool: 'a-scanner',
  vulnerabilities: ids.map((id) => ({ id, severity: 'high', summary: `<b>${id}</b>` })),
});

beforeAll(async () => {
  registry = await TestRegistry.start({
    ...{ licenses: true, indexing: true },
    tokens: `ci/submit:${submitter},security:${reviewer}`,
  });
  commandLine = CommandLine.install();
  await registry.submit(
    {
      ...{ ecosystem: 'npm', name, version, license: 'MIT', submitted_by: 'ben@example.com' },
      justification: 'Pads <script>alert(1)</script>',
    },
    { token: submitter },
  );
  await registry.post(scans, report('CVE-2024-1'), { token: reviewer });
  await registry.post(
    packagePath(name, `/approve?version=${version}`),
    {
      ...{ approved_by: 'ana@example.com', override: ['scan_failed'], expires_in_days: 90 },
      reason: 'Only in tests',
    },
    { token: reviewer },
  );
  await registry.post(scans, report('CVE-2024-1', 'CVE-2024-2'), { token: reviewer });
  const expires_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  for (const scope of [{}, { version }]) {
    await registry.post(
      '/api/v1/vulnerabilities/CVE-2024-2/acceptances',
      { ...{ reason: 'Not reachable', expires_at, ecosystem: 'npm', name }, ...scope },
      { token: reviewer },
    );
  }
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (...args: string[]) =>
  commandLine.run(['export', 'evidence', ...args], { env: { REGISTRY_URL: registry.url } });

const readData = (page: string): EvidenceReport => {
  const [, data = ''] =
    /<script type="application\/json" id="evidence-report">(.*?)<\/script>/.exec(page) ?? [];
  return JSON.parse(data);
};

/** Returns the text of a page as a browser shows it. */
const readText = (page: string): string => {
  const collect = (node: {
    readonly type: string;
    readonly children?: unknown;
    data?: string;
  }): string => {
    if (node.type === 'text') return node.data ?? '';
    if (['script', 'style'].includes(node.type)) return '';
    return ((node.children ?? []) as (typeof node)[]).map(collect).join('');
  };
  return collect(parseDocument(page) as never).replace(/\s+/g, ' ');
};

describe('export evidence', () => {
  it('writes one file that answers who, when, on what evidence, which risks, and what changed', async () => {
    const { code, stdout, stderr } = await run(`${name}@${version}`, '--file', 'out/pad.html');

    // A slow machine also gets the progress.
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).not.toMatch(/warning|error/);
    expect(readdirSync(join(commandLine.folder, 'out'))).toEqual(['pad.html']);
    const text = readText(readFileSync(join(commandLine.folder, 'out/pad.html'), 'utf8'));
    for (const part of [
      'Evidence report npm:@acme/pad@1.0.0 approved',
      'Who let it in?ana@example.com (token security) Reason: Only in tests',
      'Four eyes: yes. The token ci submitted the version, and the token security approved it.',
      'scan 1 by a-scanner (token security)',
      'scan_failed overridden by ana@example.com (token security)',
      'CVE-2024-2 by security until',
      'in all versions of npm:@acme/pad: Not reachable',
      'Pads <script>alert(1)</script>',
      '<b>CVE-2024-1</b>',
      registry.url,
    ]) {
      expect(text).toContain(part);
    }
  });

  it('has the answers of the API as JSON, in the page and with --json', async () => {
    const [page, data] = await Promise.all([run(name), run(name, '--json')]);

    const { exported_at: _, ...report } = readData(page.stdout);
    const { exported_at, ...same } = JSON.parse(data.stdout);
    const evidence = await registry.get(packagePath(name, '/evidence'));
    const history = await registry.get(packagePath(name, `/history?version=${version}`));
    expect(report).toEqual(same);
    expect(Date.parse(exported_at)).toBeGreaterThan(Date.parse(history.body.history.at(-1).at));
    expect(report).toMatchObject({
      format: 'package-registry-evidence-report@1',
      registry: {
        url: registry.url,
        console: `${registry.url}/console#/packages/npm/%40acme%2Fpad/1.0.0`,
      },
      evidence: evidence.body,
      history: history.body.history,
      gaps: [],
    });
    expect(report.scans_of_approval.map(({ vulnerabilities }) => vulnerabilities.length)).toEqual([
      1,
    ]);
    expect(report.acceptances).toMatchObject([
      { id: 'CVE-2024-2', name, version, by: 'security', ended: null },
      { id: 'CVE-2024-2', name, version: null, by: 'security', ended: null },
    ]);
  });

  it.each([
    [['nowhere-pad@1.0.0'], 1, /^error: .*nowhere-pad/],
    [[name, '--jsonl'], 2, /The report is HTML, or one JSON document with --json\./],
    [[name, '-o', 'name'], 2, /The report is HTML/],
    [['pkg:golang/x'], 2, /is no package/],
  ])('refuses %j, and leaves an earlier file as it was', async (args, code, message) => {
    const file = join(commandLine.folder, 'kept.html');
    writeFileSync(file, 'before');

    const ended = await run(...args, '--file', file);

    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) });
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(commandLine.folder).filter((one) => one.startsWith('kept'))).toEqual([
      'kept.html',
    ]);
  });

  it.each(['plain/pad.html', '/proc/registry/pad.html'])(
    'refuses the file %s, which it cannot write, before any request',
    async (file) => {
      writeFileSync(join(commandLine.folder, 'plain'), '');

      const { code, stderr } = await run(name, '--file', file, '--debug');

      expect(code).toBe(2);
      expect(stderr).toMatch(new RegExp(`^debug: .*\\nerror: ${file} cannot be written`));
    },
  );

  it('asks for a file in a terminal', async () => {
    const terminal = commandLine.inTerminal(['export', 'evidence', name], {
      env: { REGISTRY_URL: registry.url },
    });

    expect(await terminal.end()).toBe(2);
    expect(terminal.page()).toContain('Give --file, such as --file evidence.html');
  });
});

describe('a report with a part that fails', () => {
  const start = async () => {
    const { body: evidence } = await registry.get(packagePath(name, '/evidence'));
    const { body: history } = await registry.get(packagePath(name, '/history'));
    return startScripted((response, request) => {
      const path = request.url ?? '';
      const answer = () => {
        if (path.includes('/evidence')) return json(200, evidence);
        if (path.includes('/history')) return json(200, history);
        if (path.includes('/licenses/')) return problem(404, 'license_not_found');
        return problem(400, 'validation_failed');
      };
      answer()(response, request);
    });
  };

  it('is written, names the part, and ends with a failure', async () => {
    const server = await start();

    const { code, stdout, stderr } = await commandLine.run(['export', 'evidence', name], {
      env: { REGISTRY_URL: server.url },
    });

    await server.close();
    expect(code).toBe(1);
    expect(stderr).toContain('warning: The report lacks a part (risk acceptances)');
    expect(readText(stdout)).toContain('risk acceptances: The registry did not return it');
    expect(
      readData(stdout)
        .gaps.map(({ part }) => part)
        .toSorted(),
    ).toEqual([
      'projects',
      'risk acceptances',
      'scans of the approval',
      'signed statement',
      'version of the registry',
    ]);
    expect(readText(stdout)).toContain('The registry did not return the signed statement.');
  });

  it('sends a bounded number of requests', async () => {
    const vulnerabilities = Array.from({ length: 400 }, (_, at) => `CVE-2020-${at}`);
    const { body: evidence } = await registry.get(packagePath(name, '/evidence'));
    const [one] = evidence.scan.vulnerabilities;
    const scan = {
      ...evidence.scan,
      vulnerabilities: vulnerabilities.map((id) => ({ ...one, id })),
    };
    const { body: history } = await registry.get(packagePath(name, '/history'));
    const server = await startScripted((response, request) => {
      const path = request.url ?? '';
      const answer = () => {
        if (path.includes('/evidence')) return json(200, { ...evidence, scan });
        // A history without an end.
        if (path.includes('/history')) return json(200, { ...history, next: 'further' });
        return problem(
          404,
          path.includes('/licenses/') ? 'license_not_found' : 'vulnerability_not_found',
        );
      };
      answer()(response, request);
    });

    const { stdout } = await commandLine.run(['export', 'evidence', name], {
      env: { REGISTRY_URL: server.url },
    });

    await server.close();
    // Twice the evidence, five pages of history, 100 vulnerabilities, and one request for each other part.
    expect(server.received).toHaveLength(2 + 5 + 100 + 5);
    expect(readData(stdout).gaps.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['history', 'ended risk acceptances']),
    );
    expect(existsSync(join(commandLine.folder, 'pad.html'))).toBe(false);
  });
});
