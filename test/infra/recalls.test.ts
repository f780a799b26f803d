import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatQuery, makeFetchedQuery } from '../../infra/recalls/fetched-query.ts';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { publishMaven, toPath } from '../ecosystems/maven/gate/maven-origin.ts';
import { type AwsStandIn, serveAws } from '../support/aws-stand-in.ts';
import { until } from '../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

/** Returns the regular expression by which the query of a version selects paths. */
const readFilter = (id: PackageId): RegExp => {
  const [, pattern = ''] = /path like \/(.*)\/$/m.exec(formatQuery(makeFetchedQuery(id))) ?? [];
  return new RegExp(pattern);
};

const npm: PackageId = { ecosystem: 'npm', name: '@acme/lib', version: '1.0.0+b.1' };
const pypi: PackageId = { ecosystem: 'pypi', name: 'Acme.Lib', version: '1.0' };
const maven: PackageId = { ecosystem: 'maven', name: 'org.acme:my-lib', version: '1.0.0' };
const wheel = 'acme_lib-1.0-py3-none-any.whl';
const jar = toPath('org.acme:my-lib:1.0.0', '.jar');

describe('the query for who fetched a version', () => {
  let origin: OriginServer;
  let registry: TestRegistry;

  const publish = (): void => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const tarball = `${origin.url}/${npm.name}/-/lib-${npm.version}.tgz`;
    const { name, version } = npm;
    const versions = { [version]: { name, version, dist: { tarball, integrity } } };
    origin.serve('/npm/@acme%2flib', { body: { name, versions, time: {} } });
    const hashes = { sha256: 'a'.repeat(64) };
    const files = [{ filename: wheel, url: `${origin.url}/files/${wheel}`, hashes }];
    const headers = { 'Content-Type': 'application/vnd.pypi.simple.v1+json' };
    const body = { meta: { 'api-version': '1.1' }, name: 'acme-lib', files };
    origin.serve('/pypi/simple/acme-lib/', { headers, body });
    publishMaven(origin, `${maven.name}:${maven.version}`);
  };

  const approve = async ({ name, ...id }: PackageId): Promise<void> => {
    await registry.submit({ name, ...id });
    const path = (action: string) =>
      `${packagePath(name, action)}?ecosystem=${id.ecosystem}&version=${encodeURIComponent(id.version)}`;
    await until(async () => (await registry.get(path('/evidence'))).body.facts?.found === 'yes');
    await registry.post(path('/approve'));
  };

  beforeAll(async () => {
    origin = await startOriginServer();
    publish();
    registry = await TestRegistry.start({ originUrl: origin.url });
    for (const id of [npm, pypi, maven]) await approve(id);
  });
  afterAll(async () => {
    await registry.close();
    await origin.close();
  });

  /** Sends a request to the gate. Returns its status, and the path in its line of the request log. */
  const fetchLogged = async (path: string) => {
    const { status, headers } = await fetch(`${registry.url}${path}`, { redirect: 'manual' });
    const find = () =>
      registry.logs.find(
        (line) =>
          line['event'] === 'request' && line['request_id'] === headers.get('x-amzn-requestid'),
      );
    await until(() => find() !== undefined);
    return { status, logged: String(find()?.['path']) };
  };

  it.each([
    ['a tarball', npm, 302, '/npm/@acme/lib/-/lib-1.0.0+b.1.tgz'],
    ['an encoded tarball', npm, 302, '/npm/@acme%2flib/-/lib-1.0.0%2Bb.1.tgz'],
    ['a packument', npm, 200, '/npm/@acme%2Flib'],
    ['a wheel', pypi, 302, `/pypi/files/acme-lib/1.0/${wheel}`],
    ['the metadata of a wheel', pypi, 302, `/pypi/files/acme-lib/1.0/${wheel}.metadata`],
    ['a project', pypi, 200, '/pypi/simple/acme-lib/'],
    ['a jar', maven, 302, `/maven/${jar}`],
    ['the checksum of a jar', maven, 200, `/maven/${jar}.sha1`],
    ['a list of versions', maven, 200, '/maven/org/acme/my-lib/maven-metadata.xml'],
  ])('finds the logged request for %s', async (_, id, status, path) => {
    const answer = await fetchLogged(path);

    expect(answer.status).toBe(status);
    expect(readFilter(id).test(answer.logged), answer.logged).toBe(true);
    for (const other of [npm, pypi, maven].filter((one) => one !== id)) {
      expect(readFilter(other).test(answer.logged)).toBe(false);
    }
  });

  it('finds the path of a gate with a prefix, and one that npm sent twice', () => {
    const lib = readFilter({ ecosystem: 'npm', name: 'lib', version: '1.0.0' });

    expect(lib.test('/registry/npm/lib/-/lib-1.0.0.tgz')).toBe(true);
    expect(lib.test('/npm/npm/lib/-/lib-1.0.0.tgz')).toBe(true);
  });

  it.each([
    [npm, '/npm/@acme/lib/-/lib-1.0.0.tgz'],
    [npm, '/npm/lib/-/lib-1.0.0+b.1.tgz'],
    [npm, '/npm/@acme/library'],
    [{ ...npm, name: 'lib' }, '/npm/@acme/lib/-/lib-1.0.0+b.1.tgz'],
    [{ ...npm, name: 'lib' }, '/npm/@acme%2flib'],
    [{ ...npm, version: '1.0.0' }, '/npm/@acme/lib/-/lib-1x0.0.tgz'],
    [pypi, `/pypi/files/acme-lib/1.0.1/${wheel}`],
    [pypi, '/pypi/simple/acme-library/'],
    [maven, '/maven/org/acme/my-lib/1.0.0-rc/my-lib-1.0.0-rc.jar'],
    [maven, '/maven/org/acme/my-lib-core/1.0.0/my-lib-core-1.0.0.jar'],
    [maven, '/api/v1/packages/my-lib'],
  ])('does not find, for %o, the path %s', (id, path) => {
    expect(readFilter(id).test(path)).toBe(false);
  });
});

describe('npm run recalls', () => {
  const deployment = {
    stack: 'Acme',
    outputs: { EndpointsLogGroupName: 'Acme-EndpointsLog' },
    results: {},
  };
  let aws: AwsStandIn;
  beforeAll(async () => {
    aws = await serveAws(deployment);
  });
  afterAll(() => aws.close());

  const run = async (...args: readonly string[]) => {
    const env = aws.environment;
    const started = promisify(execFile)(process.execPath, ['infra/recalls/main.ts', ...args], {
      env,
    });
    const { stdout, stderr, code = 0 } = await started.catch((error) => error);
    return { stdout, stderr, code };
  };

  it('prints the query of a version for CloudWatch Logs Insights', async () => {
    const { stdout, stderr, code } = await run('fetched', 'npm:axios@1.14.1');

    const axios = { ecosystem: 'npm', name: 'axios', version: '1.14.1' } as const;
    expect([code, stdout]).toEqual([0, `${formatQuery(makeFetchedQuery(axios))}\n`]);
    expect(stderr).toContain('EndpointsLogGroupName');
  });

  it('lists the requests of a deployment, by its stack', async () => {
    const path = '/npm/axios/-/axios-1.14.1.tgz';
    const row = {
      ...{ '@timestamp': '2026-03-31 02:10:11.000', status: '302', method: 'GET', path },
      request_id: 'c6af9ac6',
    };
    const cells = Object.entries(row).map(([field, value]) => ({ field, value }));
    deployment.results = { status: 'Complete', results: [cells] };

    const ended = await run('fetched', 'axios@1.14.1', '--stack', 'Acme', '--days', '7');

    expect(ended).toEqual({
      code: 0,
      stdout: `2026-03-31 02:10:11.000  302  GET  ${path}  c6af9ac6\n`,
      stderr: '1 request in the last 7 days.\n',
    });
    const [, started = ''] = aws.requests;
    expect(JSON.parse(started.slice(started.indexOf(' ')))).toMatchObject({
      logGroupName: 'Acme-EndpointsLog',
      queryString: formatQuery(makeFetchedQuery({ name: 'axios', version: '1.14.1' })),
    });
  });

  it('says that there is no such stack', async () => {
    const ended = await run('fetched', 'axios@1.14.1', '--stack', 'Acmee');

    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no stack Acmee in the region eu-west-1: .*\n$/),
    });
  });

  it.each([
    ['without a command', [], 2],
    ['without a version', ['fetched', 'axios'], 2],
    ['with days that are no number', ['fetched', 'axios@1.0.0', '--days', 'all'], 2],
    ['for an image', ['fetched', 'docker:redis@7'], 1],
  ])('fails %s', async (_, args, code) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '' });
  });
});
