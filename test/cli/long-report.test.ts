import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as routes from '../../shared/api/routes.ts';
import { CommandLine } from '../support/command-line.ts';
import { TestRegistry } from '../support/registry.ts';

const { maxBytes } = routes.submitScan.body;

let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await TestRegistry.start();
  commandLine = CommandLine.install();
  for (const name of ['short', 'long', 'by-hand', 'prose', 'refused']) {
    await registry.submit({ ecosystem: 'docker', name, version: '1.0.0' });
  }
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], stdin = '') =>
  commandLine.run(args, { stdin, env: { REGISTRY_URL: registry.url } });

const upload = (name: string, report: object, ...flags: readonly string[]) =>
  run(['scan', 'upload', name, '-', '--json', ...flags], JSON.stringify(report));

const severities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'];

/** What Trivy writes of an image; `padding` is text that no finding is made of. */
const trivyReport = (image: string, padding: number, finding: object = {}) => ({
  SchemaVersion: 2,
  ArtifactName: image,
  ArtifactType: 'container_image',
  Results: [
    {
      Class: 'os-pkgs',
      Vulnerabilities: Array.from({ length: 3000 }, (_, at) => ({
        VulnerabilityID: `CVE-2026-${10_000 + at}`,
        PkgName: `package-${at % 40}`,
        InstalledVersion: '1.0',
        FixedVersion: '1.1',
        Severity: severities[at % 7] ?? 'LOW',
        Title: 'It overflows.',
        PkgIdentifier: 'x'.repeat(padding),
        ...finding,
      })),
    },
  ],
});

const sizeOf = (report: object): number => Buffer.byteLength(JSON.stringify(report));

/** Kept whole: no prose. */
const manyVersions = Array.from({ length: 20 }, (_, at) => `${at}.${'1'.repeat(100)}`).join(',');

describe('a report that is longer than a request may be', () => {
  it('comes to what it would if it were shorter, from a file and from standard input', async () => {
    const long = trivyReport('long:1.0.0', 2000);
    const file = join(commandLine.folder, 'long.json');
    writeFileSync(file, JSON.stringify(long, null, 2));

    const fromShort = await upload('short', trivyReport('short:1.0.0', 0));
    const piped = await upload('long', long);
    const fromFile = await run(['scan', 'upload', 'long', file, '--json']);

    expect(sizeOf(long)).toBeGreaterThan(6 * 1024 * 1024);
    const [short, ...longs] = [fromShort, piped, fromFile].map(({ code, stdout, stderr }) => {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const { status, severity, vulnerabilities, tools_used } = JSON.parse(stdout);
      return { status, severity, vulnerabilities, tools_used };
    });
    expect(longs).toEqual([short, short]);
    expect(short).toMatchObject({
      status: 'failed',
      severity: { critical: 429, high: 429, medium: 429, low: 1285, unrated: 428 },
      tools_used: ['trivy'],
    });
    expect(short?.vulnerabilities).toHaveLength(3000);
  });

  it('is compared with the version, and kept all the same by --force', async () => {
    const report = trivyReport('another:2.0.0', 2000);

    const refused = await upload('refused', report);
    const forced = await upload('refused', report, '--force');

    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stderr)).toMatchObject({ code: 'wrong_subject' });
    expect(JSON.parse(forced.stdout)).toMatchObject({ tools: [{ tool: 'trivy', forced: true }] });
  });

  it('names no tool that is known, where somebody wrote it down', async () => {
    const vulnerabilities = [{ id: 'CVE-1', severity: 'high', summary: 'x'.repeat(maxBytes) }];

    const refused = await upload('by-hand', { tool: 'trivy', vulnerabilities });
    const taken = await upload('by-hand', { tool: 'by hand', vulnerabilities });

    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr).detail).toMatch(
      /^The report names the tool trivy, whose reports are/,
    );
    expect(JSON.parse(taken.stdout)).toMatchObject({ tools_used: ['by hand'], status: 'failed' });
  });

  it('loses its prose, and says so, where that is too long', async () => {
    const prose = {
      Title: 'Long '.repeat(200),
      References: [`https://example.com/${'a'.repeat(400)}`],
    };
    const report = trivyReport('prose:1.0.0', 1000, prose);

    const { code, stdout, stderr } = await upload('prose', report);

    expect(code).toBe(0);
    expect(stderr).toBe(
      'warning: The report is too large for one request: summaries and references are left out.\n',
    );
    const { severity, vulnerabilities } = JSON.parse(stdout);
    expect(severity).toMatchObject({ critical: 429, unrated: 428 });
    expect(vulnerabilities[0]).toMatchObject({
      summary: '',
      references: [],
      components: ['package-0 1.0'],
      fixed_versions: ['1.1'],
    });
  });

  it.each<[string, object, RegExp]>([
    [
      'is too large',
      trivyReport('refused:1.0.0', 0, { FixedVersion: manyVersions }),
      /^The report is too large, even without summaries/,
    ],
    [
      'is wrong',
      { ...trivyReport('refused:1.0.0', 2000), SchemaVersion: 1 },
      /^The report looks like a report of Trivy .*SchemaVersion must be 2; update Trivy/,
    ],
    [
      'is of no known format',
      { text: 'x'.repeat(maxBytes) },
      /^The report is not a report of a supported format; supported are: /,
    ],
  ])('is refused on the spot where it %s', async (_, report, detail) => {
    const { code, stderr } = await upload('refused', report);

    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ code: 'wrong_usage' });
    expect(JSON.parse(stderr).detail).toMatch(detail);
  });
});
