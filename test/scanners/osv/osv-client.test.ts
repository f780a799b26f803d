import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { Finding } from '../../../shared/domain/vulnerabilities/vulnerability.ts';
import { createOsvClient } from '../../../shared/scanners/osv/osv-client.ts';
import { OsvUnreachableError } from '../../../shared/scanners/osv/osv-error.ts';
import type { OsvSettings } from '../../../shared/scanners/osv/osv-http.ts';
import {
  RefusedRequestError,
  TransientError,
  UpstreamError,
} from '../../../shared/util/outbound-http/upstream-error.ts';
import { osvRecords } from '../../support/osv-records.ts';
import { type OsvFault, type OsvServer, startOsvServer } from '../../support/osv-server.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';

const lodash: PackageId = { ecosystem: 'npm', name: 'lodash', version: '4.17.20' };
const cleanLodash: PackageId = { ...lodash, version: '4.18.1' };
const jinja: PackageId = { ecosystem: 'pypi', name: 'Jinja2', version: '2.11.2' };
const log4j: PackageId = {
  ecosystem: 'maven',
  name: 'org.apache.logging.log4j:log4j-core',
  version: '2.14.1',
};
const nginx: PackageId = { ecosystem: 'docker', name: 'nginx', version: '1.27' };

let server: OsvServer;

beforeEach(async () => {
  server = await startOsvServer();
});

afterEach(() => server.close());

const client = (settings: Partial<OsvSettings> = {}) =>
  createOsvClient({ url: server.url, timeoutMs: 5_000, backoffMs: 1, ...settings });

/** The findings of one version; throws if OSV.dev fails. */
const scanOne = async (
  id: PackageId,
  settings: Partial<OsvSettings> = {},
): Promise<readonly Finding[]> => {
  const [scan] = await client(settings).scanVersions([id]);
  if (!scan || 'error' in scan) throw scan?.error;
  return scan.findings;
};

const clock = useSimulatedClock();

/** Never answers within the timeout. */
const silent: OsvFault = { kind: 'silence', met: clock.passToLimit };

const batches = () => server.requests.filter(({ path }) => path === '/v1/querybatch');

const idsOf = (findings: readonly { id: string }[]): string[] => findings.map(({ id }) => id);

const faultOf = async (scan: Promise<unknown>): Promise<UpstreamError> => {
  const fault: unknown = await scan.catch((error: unknown) => error);
  if (!(fault instanceof UpstreamError)) throw new Error('The scan did not fail as it should');
  return fault;
};

const reasonOf = async (scan: Promise<unknown>): Promise<string> => (await faultOf(scan)).message;

const cleanJinja = { ...jinja, version: '99.0' };

/** The server's answer for a simulated timeout. */
const silence = 'silence';

/** Permanent faults of an answer. */
const lastingFaults: readonly OsvFault[] = [
  { kind: 'status', status: 400 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, retryAfter: '0' },
  { kind: 'status', status: 503, retryAfter: '0' },
  { kind: 'status', status: 503, retryAfter: '120' },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 429, retryAfter: '0' },
  { kind: 'status', status: 429, retryAfter: '120' },
  { kind: 'body', body: silence },
  { kind: 'reset' },
  { kind: 'body', body: 'upstream error' },
  { kind: 'body', body: '{"results": []}' },
];

/** Ends silence at once, as if the time for an answer were over: no test waits for it, and none depends on a machine's speed. */
const fetchUnlessSilent: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const text = await response.clone().text();
  if (text === silence) throw new DOMException('There was no answer in time', 'TimeoutError');
  return response;
};

/** More time than a busy machine needs. */
const unhurried: Partial<OsvSettings> = {
  timeoutMs: 20_000,
  deadlineMs: 90_000,
  fetch: fetchUnlessSilent,
};

const noTimeLeft = 'There was no time left for a request to OSV.dev';

describe('scanning one version', () => {
  it.each([
    [lodash, ['GHSA-35jh-r3h4-6jhm', 'GHSA-29mw-wpgm-hmr9']],
    [jinja, ['GHSA-g3rq-g295-4j3m', 'PYSEC-2021-66', 'GHSA-h5c8-rqwp-cp95']],
    [log4j, ['GHSA-jfh8-c2jp-5v3q', 'GHSA-vc5p-v9hr-52mj']],
    [cleanLodash, []],
  ])('finds what is known against $ecosystem $name $version', async (id, expected) => {
    const findings = await scanOne(id);

    expect(idsOf(findings)).toEqual(expected);
    expect(batches()).toHaveLength(1);
  });

  it('asks for names of PyPI in their canonical spelling', async () => {
    await scanOne(jinja);

    expect(batches()).toEqual([
      {
        path: '/v1/querybatch',
        body: {
          queries: [{ package: { ecosystem: 'PyPI', name: 'jinja2' }, version: '2.11.2' }],
        },
      },
    ]);
  });

  it('reads every page', async () => {
    server.page(1);

    const findings = await scanOne(jinja);

    expect(findings).toHaveLength(3);
    expect(batches()).toHaveLength(3);
  });

  it('stops at endless pages', async () => {
    server.fail({ kind: 'body', body: '{"results": [{"next_page_token": "again"}]}' });

    const reason = await reasonOf(scanOne(lodash));

    expect(reason).toBe('OSV.dev returned more than 100 pages');
  });

  it('finds vulnerabilities that were unknown in the last scan', async () => {
    server.know('npm/lodash/4.18.1', [osvRecords.lodashTrim]);

    const findings = await scanOne(cleanLodash);

    expect(idsOf(findings)).toEqual(['GHSA-29mw-wpgm-hmr9']);
  });

  it('sends no request for images', async () => {
    const reason = await reasonOf(scanOne(nginx));

    expect(reason).toBe('OSV.dev does not cover docker packages');
    expect(server.requests).toEqual([]);
  });
});

describe('a temporary fault', () => {
  it.each<OsvFault>([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 503 },
    { kind: 'status', status: 429 },
    { kind: 'status', status: 429, retryAfter: '0' },
    { kind: 'reset' },
  ])('is retried: %j', async (fault) => {
    server.fail(fault, { times: 2 });

    const findings = await scanOne(lodash);

    expect(findings).toHaveLength(2);
    expect(batches()).toHaveLength(3);
  });

  it('is retried if there is no answer', async () => {
    server.fail(silent, { times: 1 });

    const findings = await scanOne(lodash, { timeoutMs: 100 });

    expect(findings).toHaveLength(2);
  });

  it('is retried no sooner than OSV.dev asks', async () => {
    server.fail({ kind: 'status', status: 429, retryAfter: '1' }, { times: 1 });

    await scanOne(lodash);

    expect(clock.pauses).toEqual([1000]);
  });

  it('is not assumed for a slow answer', async () => {
    server.fail({ kind: 'slow', afterMs: 50 });

    const findings = await scanOne(lodash);

    expect(findings).toHaveLength(2);
    expect(batches()).toHaveLength(1);
  });

  it('is not retried if OSV.dev asks for more than the remaining time', async () => {
    server.fail({ kind: 'status', status: 429, retryAfter: '120' });

    const fault = await faultOf(scanOne(lodash));

    expect(fault).toBeInstanceOf(OsvUnreachableError);
    expect(fault.message).toBe(
      'OSV.dev responded with status 429 and requested a delay of 120 s, longer than the remaining time',
    );
    // And once more for a question that OSV.dev surely answers.
    expect(server.requests).toHaveLength(2);
  });
});

describe('a permanent fault', () => {
  it.each<[string, OsvFault, number]>([
    ['OSV.dev responded with status 500', { kind: 'status', status: 500 }, 5],
    ['OSV.dev refused the request with status 400', { kind: 'status', status: 400 }, 1],
    ['The connection to OSV.dev failed (ECONNRESET)', { kind: 'reset' }, 5],
    [
      'OSV.dev returned an invalid response to /v1/querybatch',
      { kind: 'body', body: '{"results": [' },
      1,
    ],
    [
      'OSV.dev returned an invalid response to /v1/querybatch',
      { kind: 'body', body: '{"results": [{"vulns": [{"aliases": []}]}]}' },
      1,
    ],
    ['OSV.dev returned an invalid response to /v1/querybatch', { kind: 'body', body: '[]' }, 1],
  ])('is an error that says: %s', async (expected, fault, attempts) => {
    server.fail(fault);

    const reason = await reasonOf(scanOne(lodash));

    expect(reason).toBe(expected);
    // And once more for a question that OSV.dev surely answers.
    expect(server.requests).toHaveLength(attempts + 1);
  });

  it('causes an error with the time without an answer', async () => {
    server.fail(silent);

    const reason = await reasonOf(scanOne(lodash, { timeoutMs: 100 }));

    expect(reason).toBe('OSV.dev did not respond within 0.1 s');
  });

  it('ends at the deadline, even during a request', async () => {
    server.fail(silent);

    const reason = await reasonOf(scanOne(lodash, { deadlineMs: 200 }));

    expect(reason).toBe(noTimeLeft);
    expect(clock.passedMs()).toBe(200);
  });

  it('is reported if the time ends during another attempt', async () => {
    server.fail(silent);

    const reason = await reasonOf(scanOne(lodash, { timeoutMs: 200, deadlineMs: 300 }));

    expect(reason).toBe('OSV.dev did not respond within 0.2 s');
  });

  it('is not blamed on OSV.dev if no time is left', async () => {
    const fault = await faultOf(scanOne(lodash, { deadlineMs: 0 }));

    expect(fault).toBeInstanceOf(OsvUnreachableError);
    expect(fault.message).toBe(noTimeLeft);
    expect(server.requests).toEqual([]);
  });

  it.each(lastingFaults)('is distinguished from a bad query: %j', async (fault) => {
    server.fail(fault);
    const outage = await faultOf(scanOne(cleanJinja, unhurried));
    server.recover();
    server.fail(fault, { about: 'jinja2' });
    const own = await faultOf(scanOne(cleanJinja, unhurried));

    expect(outage).toBeInstanceOf(OsvUnreachableError);
    expect(own).not.toBeInstanceOf(OsvUnreachableError);
    expect(own.message).toBe(outage.message);
  });

  it('causes an error if the connection is refused', async () => {
    await server.close();

    const reason = await reasonOf(scanOne(lodash));

    expect(reason).toBe('The connection to OSV.dev failed (ECONNREFUSED)');
  });
});

describe('scanVersions', () => {
  it('finds the same as single scans, and fetches each record once', async () => {
    const twin = { ...jinja, name: 'jinja2' };
    const ids = [lodash, cleanLodash, jinja, twin, log4j];
    const oneByOne = await Promise.all(ids.map((id) => scanOne(id)));
    const before = server.requests.length;

    const scans = await client().scanVersions(ids);

    expect(scans).toEqual(ids.map((id, at) => ({ id, findings: oneByOne[at] })));
    const paths = server.requests.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => path === '/v1/querybatch')).toHaveLength(1);
    expect(paths).toHaveLength(1 + 2 + 3 + 2);
  });

  it('reads every page of every version', async () => {
    server.page(1);

    const scans = await client().scanVersions([jinja, cleanLodash, lodash]);

    expect(scans.map((scan) => 'findings' in scan && scan.findings.length)).toEqual([3, 0, 2]);
  });

  it('asks for at most 1,000 versions at once', async () => {
    const ids = Array.from({ length: 1001 }, (_, at) => ({ ...lodash, version: `1.0.${at}` }));

    const scans = await client().scanVersions([...ids, lodash]);

    const sizes = server.requests
      .filter(({ path }) => path === '/v1/querybatch')
      .map(({ body }) => (body as { queries: unknown[] }).queries.length);
    expect(sizes).toEqual([1000, 2]);
    expect(scans.map((scan) => 'findings' in scan && scan.findings.length).at(-1)).toBe(2);
  });

  it('has an error for uncovered versions, and continues', async () => {
    const [image, covered] = await client().scanVersions([nginx, cleanLodash]);

    expect(image).toEqual({ id: nginx, error: expect.any(UpstreamError) });
    expect(covered).toEqual({ id: cleanLodash, findings: [] });
  });

  it('has an error only for versions with an unavailable record', async () => {
    server.fail({ kind: 'status', status: 404 }, { path: '/v1/vulns/GHSA-29mw-wpgm-hmr9' });

    const [failed, scanned] = await client().scanVersions([lodash, log4j]);

    expect(failed).toEqual({
      id: lodash,
      error: new RefusedRequestError('OSV.dev refused the request with status 404', 404),
    });
    expect(scanned).toHaveProperty('findings.length', 2);
  });

  it('reports a timeout for versions with missing records, and sends no more requests', async () => {
    const records = Array.from({ length: 40 }, (_, at) => ({
      ...osvRecords.lodashTrim,
      id: `GHSA-${at}`,
    }));
    server.know('npm/lodash/4.17.20', records);
    server.fail(silent, { path: '/v1/vulns/' });
    let asked = 0;
    const counting: typeof fetch = (...request) => {
      asked += 1;
      return fetch(...request);
    };

    const scans = await client({ deadlineMs: 500, fetch: counting }).scanVersions([
      lodash,
      cleanLodash,
    ]);

    expect(scans).toEqual([
      { id: lodash, error: expect.any(TransientError) },
      { id: cleanLodash, findings: [] },
    ]);
    expect(scans[0]).toHaveProperty('error.message', noTimeLeft);
    expect(asked).toBeLessThan(records.length);
  });

  it.each<OsvFault>([
    { kind: 'status', status: 500 },
    { kind: 'body', body: '{"results": []}' },
    { kind: 'body', body: 'upstream error' },
  ])('has an error for every version when the batch fails: %j', async (fault) => {
    server.fail(fault, { path: '/v1/querybatch' });

    const scans = await client().scanVersions([lodash, cleanLodash]);

    expect(scans).toEqual([
      { id: lodash, error: expect.any(UpstreamError) },
      { id: cleanLodash, error: expect.any(UpstreamError) },
    ]);
  });

  it.each(lastingFaults)('fails only a bad query: %j', async (fault) => {
    const ids = Array.from({ length: 100 }, (_, at) => ({ ...lodash, version: `1.0.${at}` }));
    ids[41] = cleanJinja;
    ids[97] = lodash;
    server.fail(fault, { about: 'jinja2' });

    const scans = await client(unhurried).scanVersions(ids);

    const failed = scans.flatMap((scan, at) => ('error' in scan ? [at] : []));
    expect(failed).toEqual([41]);
    expect(scans[97]).toHaveProperty('findings.length', 2);
    // Five attempts, the query that detects an outage, and two parts on each of seven levels, the last tried twice.
    expect(batches().length).toBeLessThanOrEqual(5 + 1 + 2 * 7 + 1);
  });

  it('isolates several bad queries in a bounded number of requests', async () => {
    const ids = Array.from({ length: 100 }, (_, at) => ({ ...lodash, version: `1.0.${at}` }));
    for (const at of [0, 1, 50, 77, 99]) ids[at] = { ...jinja, version: `99.${at}` };
    server.fail({ kind: 'status', status: 500 }, { about: 'jinja2' });

    const scans = await client().scanVersions(ids);

    const failed = scans.flatMap((scan, at) => ('error' in scan ? [at] : []));
    expect(failed).toEqual([0, 1, 50, 77, 99]);
    expect(batches().length).toBeLessThan(100);
  });

  it('isolates a malformed answer in a batch', async () => {
    server.garble('jinja2');

    const [scanned, failed] = await client().scanVersions([lodash, jinja]);

    expect(scanned).toHaveProperty('findings.length', 2);
    expect(failed).toHaveProperty('error.message', expect.stringContaining('an invalid response'));
    expect(batches()).toHaveLength(1);
  });

  it('stops if OSV.dev answers no query', async () => {
    const ids = Array.from({ length: 100 }, (_, at) => ({ ...lodash, version: `1.0.${at}` }));
    server.fail({ kind: 'status', status: 503 });

    const scans = await client().scanVersions(ids);

    expect(
      scans.every((scan) => 'error' in scan && scan.error instanceof OsvUnreachableError),
    ).toBe(true);
    expect(server.requests).toHaveLength(5 + 1);
  });

  it('fails only versions with endless pages', async () => {
    server.page(1);
    const endless: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const answer = JSON.parse(await response.text());
      const { queries } = JSON.parse(String(init?.body ?? '{}'));
      for (const [at, query] of (queries ?? []).entries()) {
        if (query.package.name === 'jinja2') answer.results[at] = { next_page_token: 'again' };
      }
      return Response.json(answer);
    };

    const [failed, scanned] = await client({ fetch: endless }).scanVersions([jinja, lodash]);

    expect(failed).toHaveProperty('error.message', expect.stringContaining('100 pages'));
    expect(scanned).toHaveProperty('findings.length', 2);
  });

  it('sends no request without versions', async () => {
    const scans = await client().scanVersions([]);

    expect(scans).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
