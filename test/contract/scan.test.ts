import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packagePath, TestRegistry } from '../support/registry.ts';

const token = 'a-token-of-the-people-who-scan';

const scanPath = (name: string, suffix = '') =>
  `/api/v1/security/scans/${encodeURIComponent(name)}${suffix}`;

const reportOf = (file: string): string =>
  readFileSync(`test/scanners/formats/reports/${file}.json`, 'utf8');

const finding = (id: string, severity: string) => ({ id, severity });

const own = (...vulnerabilities: readonly object[]) => ({ tool: 'a-scanner', vulnerabilities });

let registry: TestRegistry;
let count = 0;

beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ci:${token}` });
});
afterAll(() => registry.close());

/** Submits a new package, and resolves to its name. */
const submitted = async (facts: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  count += 1;
  const name = `subject-${count}`;
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', ...facts }, { token });
  return name;
};

const upload = (name: string, body: unknown, suffix = '', headers = {}) =>
  registry.post(scanPath(name, suffix), body, { token, headers });

describe('POST /security/scans/{name}', () => {
  it.each([
    ['npm-audit', 'failed', 'npm audit'],
    ['npm-audit-clean', 'passed', 'npm audit'],
    ['npm-audit-6', 'failed', 'npm audit'],
    ['osv-scanner', 'failed', 'osv-scanner'],
    ['osv-scanner-clean', 'passed', 'osv-scanner'],
    ['pip-audit', 'warning', 'pip-audit'],
    ['own', 'failed', ''],
    ['pnpm-audit-10', 'failed', 'npm audit'],
    ['cyclonedx-trivy-1.7', 'warning', 'trivy'],
    ['sarif-trivy-0.65', 'warning', 'trivy'],
    ['snyk-2020-projects', 'warning', 'snyk'],
  ])('reads the report %s as its tool wrote it', async (file, verdict, tool) => {
    const name = await submitted();

    const { status, body } = await upload(name, reportOf(file));

    expect(status).toBe(201);
    expect(body).toMatchObject({ package: name, version: '1.0.0', status: verdict, reason: null });
    expect(body.tools_used.join().toLowerCase()).toContain(tool);
    const { critical, high, medium, low, unrated } = body.severity;
    expect(critical + high + medium + low + unrated).toBe(body.vulnerabilities.length);
    expect((await registry.get(scanPath(name))).body).toEqual(body);
  });

  it('takes a report of an image for the version that is the image, and forces nothing', async () => {
    const image = { ecosystem: 'docker', name: 'mirror.example.com/library/alpine' };
    await registry.submit({ ...image, version: '3.10.2' }, { token });

    const { status, body } = await upload(image.name, reportOf('trivy-image'));

    expect(status).toBe(201);
    expect(body).toMatchObject({
      version: '3.10.2',
      status: 'warning',
      tools: [{ forced: false }],
    });
  });

  it('refuses a report that is plainly about something else, and keeps it only by force', async () => {
    const name = await submitted();

    const refused = await upload(name, reportOf('grype'));
    const forced = await upload(name, reportOf('grype'), '?force=true');
    const notNeeded = await upload(name, own(), '?force=true');

    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      code: 'wrong_subject',
      detail: expect.stringContaining(`about the image app:1.0, not about npm:${name}@1.0.0`),
    });
    expect(forced.status).toBe(201);
    expect(forced.body).toMatchObject({
      status: 'failed',
      tools_used: ['grype'],
      tools: [{ forced: true }],
    });
    expect(notNeeded.body.tools[0].forced).toBe(false);
    expect((await registry.get(scanPath(name, '?number=1'))).body).toEqual(forced.body);
  });

  it('refuses another word than true or false for force', async () => {
    const { status, body } = await upload(await submitted(), own(), '?force=yes');

    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: 'force', message: 'must be true or false' }]);
  });

  it('refuses findings that pass for those of a tool that is known', async () => {
    const { status, body } = await upload(await submitted(), { ...own(), tool: 'Trivy' });

    expect(status).toBe(400);
    expect(body.code).toBe('reserved_tool');
  });

  it('counts what nobody has rated apart, and what does no harm nowhere', async () => {
    const harmless = { ...finding('CVE-2026-2', 'critical'), not_affecting: { reason: 'Unused.' } };

    const { body } = await upload(
      await submitted(),
      own(finding('CVE-2026-1', 'unrated'), harmless),
    );

    expect(body).toMatchObject({
      status: 'warning',
      severity: { critical: 0, high: 0, medium: 0, low: 0, unrated: 1 },
      vulnerabilities: [
        { id: 'CVE-2026-2', not_affecting: { by: 'a-scanner', reason: 'Unused.' } },
        { id: 'CVE-2026-1', severity: 'unrated', not_affecting: null },
      ],
    });
  });

  it.each([
    ['what is no report', { hello: 'world' }, /supported format.*Trivy.*Grype/],
    ['a truncated report', '{"SchemaVersion": 2, "Results": [', /JSON/],
    ['a report of a scan that failed', reportOf('npm-audit-failed'), /npm audit/],
    ['a report that left something out', reportOf('pip-audit-skipped'), /pip-audit/],
    ['a list of other things', [1, 2], /supported format/],
    ['a text', '"clean"', /body/],
    ['an SBOM', { bomFormat: 'CycloneDX', specVersion: '1.6' }, /CycloneDX.*trivy sbom/],
    ['XML', '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>', /XML of .*cyclonedx.*JSON form/],
  ])('refuses %s, and says what was expected', async (_, report, why) => {
    const { status, body } = await upload(await submitted(), report);

    expect(status).toBe(400);
    expect(body.detail).toMatch(why);
  });

  it('refuses a report above 4 MiB, and takes one above what other bodies may have', async () => {
    const name = await submitted();
    const padded = (bytes: number) => JSON.stringify({ ...own(), ignored: 'x'.repeat(bytes) });

    const large = await upload(name, JSON.stringify(own()).padEnd(1024 * 1024));
    const larger = await upload(name, padded(4 * 1024 * 1024));

    expect(large.status).toBe(201);
    expect(larger.status).toBe(400);
    expect(larger.body.code).toBe('body_too_large');
  });

  it('refuses more vulnerabilities than one scan can hold, and keeps nothing of them', async () => {
    const name = await submitted();
    const noise = (at: number) =>
      Array.from({ length: 8 }, (_, word) => Math.sin(at * 31 + word).toString(36)).join(' ');
    const many = Array.from({ length: 9000 }, (_, at) => ({
      ...finding(`CVE-2026-${at}`, 'low'),
      summary: noise(at),
    }));

    const { status, body } = await upload(name, own(...many));

    expect(status).toBe(400);
    expect(body.detail).toMatch(/more than one scan can hold/);
    expect((await registry.get(scanPath(name))).status).toBe(404);
  });

  it('merges what several ids tell of one vulnerability, and counts it once', async () => {
    const first = { ...finding('CVE-2026-1', 'medium'), aliases: ['GHSA-aaaa-bbbb-cccc'] };
    const second = { ...finding('GHSA-aaaa-bbbb-cccc', 'high'), aliases: [] };

    const { body } = await upload(await submitted(), own(first, second));

    expect(body.severity).toEqual({ critical: 0, high: 1, medium: 0, low: 0, unrated: 0 });
    expect(body.vulnerabilities).toMatchObject([
      { id: 'CVE-2026-1', aliases: ['GHSA-aaaa-bbbb-cccc'], severity: 'high' },
    ]);
  });

  it('needs to know which version is meant', async () => {
    const name = await submitted();
    await registry.submit({ ecosystem: 'npm', name, version: '2.0.0' }, { token });

    const ambiguous = await upload(name, own());
    const chosen = await upload(name, own(), '?version=1.0.0');

    expect(ambiguous.status).toBe(400);
    expect(ambiguous.body.code).toBe('ambiguous_version');
    expect(ambiguous.body.candidates).toHaveLength(2);
    expect(chosen.body.version).toBe('1.0.0');
  });

  it('answers 404 for a package that is not there', async () => {
    const { status, body } = await upload('nobody-knows-it', own());

    expect(status).toBe(404);
    expect(body.code).toBe('package_not_found');
  });

  it('needs a token', async () => {
    expect((await registry.post(scanPath(await submitted()), own())).status).toBe(401);
  });

  it('keeps a scan that is sent twice with one key only once, however long its answer is', async () => {
    const name = await submitted();
    const many = Array.from({ length: 4000 }, (_, at) => finding(`CVE-2026-${at}`, 'low'));
    const key = { 'Idempotency-Key': 'scan-1' };

    const first = await upload(name, own(...many), '', key);
    const again = await upload(name, own(...many), '', key);

    expect(first.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await registry.get(scanPath(name, '/history?limit=1'))).body.total).toBe(1);
  });
});

describe('GET /security/scans/{name}', () => {
  it('answers the latest scan of the version selected', async () => {
    const name = await submitted({ ecosystem: 'pypi', version: '1.0' });
    await upload(name, own(finding('CVE-2026-1', 'low')));
    await upload(name, own(finding('CVE-2026-2', 'medium')));
    await registry.submit({ ecosystem: 'pypi', name, version: '2.0' }, { token });
    await upload(name, own(), '?version=2.0');

    const latest = async (query: string) => (await registry.get(scanPath(name, query))).body;

    expect(await latest('')).toMatchObject({ version: '2.0', vulnerabilities: [] });
    for (const query of ['?version=1', '?version=1.0.0&ecosystem=pypi']) {
      expect(await latest(query)).toMatchObject({
        version: '1.0',
        vulnerabilities: [{ id: 'CVE-2026-2' }],
      });
    }
  });

  it('answers 404 for a package that was never scanned, and not zeros', async () => {
    const { status, body } = await registry.get(scanPath(await submitted()));

    expect(status).toBe(404);
    expect(body.code).toBe('scan_not_found');
  });

  it.each([scanPath('unknown'), scanPath('unknown', '?status=rejected'), scanPath('a b')])(
    'answers 404 for a package that is not there: %s',
    async (path) => {
      const { status, body } = await registry.get(path);

      expect(status).toBe(404);
      expect(body.code).toBe('package_not_found');
    },
  );

  it('refuses an unknown parameter', async () => {
    expect((await registry.get(scanPath(await submitted(), '?limit=1'))).status).toBe(400);
  });
});

describe('GET /security/scans/{name}/history', () => {
  const history = async (name: string, query = '') =>
    (await registry.get(scanPath(name, `/history${query}`))).body;

  const idsOf = ({ scans }: { scans: { vulnerabilities: { id: string }[] }[] }): string[] =>
    scans.flatMap(({ vulnerabilities }) => vulnerabilities.map(({ id }) => id));

  it('pages through every scan, newest first', async () => {
    const name = await submitted();
    for (let at = 1; at <= 23; at += 1) await upload(name, own(finding(`CVE-2026-${at}`, 'low')));
    const newestFirst = Array.from({ length: 23 }, (_, at) => `CVE-2026-${23 - at}`);

    const all = await history(name);
    const page = await history(name, '?limit=12&offset=7');

    expect(all).toMatchObject({ total: 23, limit: 100, offset: 0 });
    expect(idsOf(all)).toEqual(newestFirst);
    expect(page).toMatchObject({ total: 23, limit: 12, offset: 7 });
    expect(idsOf(page)).toEqual(newestFirst.slice(7, 19));
    expect(await history(name, '?offset=23')).toMatchObject({ scans: [], total: 23 });
  });

  it('loses none of the scans that come at the same moment', async () => {
    const name = await submitted();
    const ids = Array.from({ length: 8 }, (_, at) => `CVE-2026-${at}`);

    const answers = await Promise.all(ids.map((id) => upload(name, own(finding(id, 'low')))));

    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 201));
    expect(idsOf(await history(name)).sort()).toEqual(ids);
  });

  it('is cut where scans are too long for one answer, and links to the rest', async () => {
    const name = await submitted();
    const summary = 'x'.repeat(1000);
    const many = Array.from({ length: 3000 }, (_, at) => ({
      ...finding(`CVE-2026-${at}`, 'low'),
      summary,
    }));
    for (let at = 0; at < 3; at += 1) await upload(name, own(...many));

    const { body, headers } = await registry.get(scanPath(name, '/history'));

    expect(body).toMatchObject({ total: 3, limit: 1, offset: 0 });
    expect(body.scans).toHaveLength(1);
    expect(headers.get('Link')).toContain('limit=1&offset=1>; rel="next"');
  });

  it('is empty for a version that was never scanned, and 404 for none', async () => {
    expect(await history(await submitted())).toMatchObject({ scans: [], total: 0 });
    expect((await registry.get(scanPath('nobody-knows-it', '/history'))).status).toBe(404);
  });
});

describe('an approval of a version whose latest scan failed', () => {
  const approve = (name: string, body?: object) =>
    registry.post(packagePath(name, '/approve'), body, { token });

  it('is refused with the reason, unless overridden with one', async () => {
    const name = await submitted();
    await upload(name, own(finding('CVE-2026-1', 'critical'), finding('CVE-2026-2', 'high')));

    const refused = await approve(name);
    const overridden = await approve(name, { override: true, reason: 'Not reachable for us.' });

    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'approval_blocked',
      reasons: [
        {
          code: 'scan_failed',
          message: expect.stringContaining(
            '1 critical, 1 high vulnerabilities (policy: fail from high).',
          ),
        },
      ],
    });
    expect(overridden.body).toMatchObject({ status: 'approved', reason: 'Not reachable for us.' });
  });

  it('goes through once a later scan did not fail', async () => {
    const name = await submitted();
    await upload(name, own(finding('CVE-2026-1', 'critical')));
    await upload(name, own(finding('CVE-2026-1', 'medium')));

    expect((await approve(name)).status).toBe(200);
  });
});
