import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { evidence } from '../../shared/api/openapi/examples/review.ts';
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

const severity = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
const broken = {
  package: 'left-pad',
  version: '1.3.0',
  scan_date: '2026-01-31T12:00:00.000Z',
  status: 'error',
  reason: 'osv.dev gave no answer',
  vulnerabilities: [],
  severity,
  tools_used: ['osv.dev'],
  omitted: 0,
  tools: [
    {
      ...{ tool: 'osv.dev', label: null, number: 1, scan_date: '2026-01-31T12:00:00.000Z' },
      ...{ confirmed_at: null, status: 'error', reason: 'osv.dev gave no answer' },
      ...{ severity, forced: false },
    },
  ],
};
const passed = {
  ...{ ...broken, status: 'passed', reason: null },
  tools: broken.tools.map((tool) => ({ ...tool, status: 'passed', reason: null })),
};
const detail = { name: 'left-pad', ecosystem: 'npm', version: '1.3.0', status: 'approved' };

/** Runs the command against a scripted registry. */
const run = async (args: readonly string[], ...script: readonly Scene[]) => {
  server = await startScripted(...script);
  return commandLine.run(args, { env: { REGISTRY_URL: server.url } });
};

describe('a failed scan', () => {
  it('is shown as failed, with a warning', async () => {
    const { code, stdout, stderr } = await run(['scan', 'show', 'left-pad'], json(200, broken));

    expect(code).toBe(0);
    expect(stdout).toMatch(/^left-pad@1\.3\.0 {2}error: vulnerabilities not known$/m);
    expect(stdout).toMatch(/^osv\.dev +1 +error +2026-01-31 12:00 +not known$/m);
    expect(stdout).not.toMatch(/none|nothing|critical 0/);
    expect(stderr).toBe(
      'warning: left-pad@1.3.0 could not be scanned (osv.dev gave no answer): its vulnerabilities are not known.\n',
    );
  });

  it('is shown as failed in the history, beside successful scans', async () => {
    const page = { scans: [broken, passed], total: 2, limit: 100, offset: 0 };

    const { stdout } = await run(['scan', 'history', 'left-pad'], json(200, page));

    const [, first, second] = stdout.split('\n');
    expect(first).toContain('not known');
    expect(second).toContain('nothing');
  });

  it("is shown as JSON like the registry's answer", async () => {
    const { stdout } = await run(['scan', 'show', 'left-pad', '--json'], json(200, broken));

    expect(JSON.parse(stdout)).toEqual(broken);
  });
});

describe('an approval', () => {
  const approve = (...script: readonly Scene[]) =>
    run(['approve', 'left-pad'], json(200, detail), ...script);

  it.each<[string, Scene, string]>([
    ['has no scan', problem(404, 'scan_not_found'), 'has no scan: its vuln'],
    ['could not be scanned', json(200, broken), 'could not be scanned (osv.dev gave no answer)'],
    ['waits', json(200, { ...broken, status: 'pending' }), 'has not been scanned yet'],
    ['is not available', problem(404, 'package_not_found'), 'cannot be read: Told: package_not'],
  ])('warns of a version whose scan %s, and succeeds', async (_, scene, warning) => {
    const { code, stderr } = await approve(scene);

    expect(code).toBe(0);
    expect(stderr).toContain('warning: ');
    expect(stderr).toContain(`npm:left-pad@1.3.0`);
    expect(stderr).toContain(warning);
    expect(server?.received[1]?.url).toBe(
      '/api/v1/security/scans/left-pad?ecosystem=npm&version=1.3.0',
    );
  });

  it('does not warn with a scan result', async () => {
    const { stderr } = await approve(json(200, passed));

    expect(stderr).toBe('');
  });
});

describe('review', () => {
  it('warns before its prompt', async () => {
    const item = { ...detail, status: 'pending', license: null };
    server = await startScripted((response, request) => {
      const { pathname } = new URL(request.url ?? '', 'http://registry');
      if (pathname.endsWith('/evidence')) {
        json(200, { ...evidence, package: item, scan: broken })(response, request);
      } else if (pathname === '/api/v1/packages') {
        json(200, { packages: [item], total: 1, limit: 100, offset: 0 })(response, request);
      } else if (pathname === '/api/v1/whoami') {
        const anybody = { label: null, scopes: ['submit', 'review'], fingerprint: null };
        json(200, anybody)(response, request);
      } else json(200, item)(response, request);
    });
    const terminal = commandLine.inTerminal(['review'], { env: { REGISTRY_URL: server.url } });

    await terminal.shows('error: vulnerabilities not known');
    await terminal.shows('The last scan by osv.dev ended with an error: osv.dev gave no answer.');
    await terminal.shows('warning: npm:left-pad@1.3.0 could not be scanned');
    await terminal.shows('Approve, reject, skip or quit?');
    terminal.type('q\r');

    expect(await terminal.end()).toBe(0);
  });
});
