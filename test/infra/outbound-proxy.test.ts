import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { request as forward } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleOptions } from '../../infra/constructs/bundle-options.ts';
import { makeFastFolder } from '../support/fast-folder.ts';
import { makeCertificate } from '../support/make-certificate.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { type Sigstore, startSigstore } from '../support/sigstore.ts';
import { synthesiseStack } from '../support/stack-template.ts';
import { firstRoot, serveTuf } from '../support/tuf-repository.ts';
import { listResources } from './properties/property.ts';

const run = promisify(execFile);

/** The digest of the one message, which the client of SQS compares. */
const md5 = createHash('md5').update('1').digest('hex');

const certificate = makeCertificate(['mirror.test', 'localhost']);

let folder: string;
let origin: OriginServer;
let sigstore: Sigstore;
/** The origin with TLS. Nothing but the proxy knows the name `mirror.test`. */
let mirror: Server;
let proxy: TestProxy;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const startMirror = async (): Promise<Server> => {
  const server = createServer(certificate, (request, response) => {
    const { method, headers, url: path } = request;
    const onward = forward(origin.url, { method, headers, path });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

beforeAll(async () => {
  folder = makeFastFolder('outbound-');
  writeFileSync(join(folder, 'authority.pem'), certificate.cert);
  writeFileSync(join(folder, 'first-root.json'), firstRoot);
  [origin, sigstore] = await Promise.all([startOriginServer(), startSigstore()]);
  serveTuf(origin, '/tuf', sigstore.root);
  await build({
    ...bundleOptions,
    entryPoints: ['test/infra/fixtures/outbound-clients.ts'],
    outdir: folder,
  });
});
beforeEach(async () => {
  mirror = await startMirror();
  proxy = await startProxy(`http://127.0.0.1:${portOf(mirror)}`);
});
afterEach(async () => {
  await proxy.close();
  mirror.closeAllConnections();
  mirror.close();
});
afterAll(async () => {
  await origin.close();
  rmSync(folder, { recursive: true });
});

/** Returns the environment of a worker in a deployment with the proxy and the certificates. */
const makeEnvironment = (settings: object = {}): Record<string, string> => {
  const caCertificates = join(folder, 'authority.pem');
  const template = synthesiseStack({ proxyUrl: proxy.url, caCertificates, ...settings });
  const worker = listResources(template, 'AWS::Lambda::Function').find(({ id }) =>
    id.startsWith('collectfacts'),
  );
  const names = /^(?:NODE_.*|.*_PROXY)$/;
  return Object.fromEntries(
    Object.entries<string>(worker?.['Properties'].Environment.Variables)
      .filter(([name]) => names.test(name))
      .map(([name, value]) => [
        name,
        value.replace('/var/task/ca-certificates.pem', caCertificates),
      ]),
  );
};

/** Sends the requests of a client in a process of its own, as Lambda starts a function, and returns the result. */
const ask = async (client: string, url: string, env: Readonly<Record<string, string>>) => {
  const program = join(folder, 'outbound-clients/index.mjs');
  const { stdout } = await run(
    process.execPath,
    [program, client, url, join(folder, 'first-root.json')],
    {
      env: { ...env, AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
    },
  );
  return JSON.parse(stdout) as unknown;
};

describe('requests of functions', () => {
  it.each<[string, unknown]>([
    ['npm', { outcome: 'answered', facts: { found: 'no' } }],
    ['pypi', { outcome: 'answered', facts: { found: 'no' } }],
    ['maven', { outcome: 'answered', facts: { found: 'no' } }],
    ['docker', { outcome: 'answered', facts: { found: 'no' } }],
    ['osv', [{}]],
    ['feed', null],
    ['tuf', { tlogs: expect.anything() }],
    ['issuer', { issuer: 'https://mirror.test:8443' }],
  ])('go through the proxy, also by TLS with an own authority: %s', async (client, result) => {
    origin.serve('/v1/querybatch', { body: { results: [{}] } });
    origin.serve('/.well-known/openid-configuration', {
      body: { issuer: 'https://mirror.test:8443' },
    });
    const answer = await ask(client, 'https://mirror.test:8443', makeEnvironment());

    if (result === null) expect(answer).toBeNull();
    else expect(answer).toMatchObject(result as object);
    expect(new Set(proxy.asked)).toEqual(new Set(['mirror.test:8443']));
  });

  it('go around the proxy for the hosts of noProxy', async () => {
    const env = makeEnvironment({ noProxy: 'localhost' });

    expect(await ask('npm', `https://localhost:${portOf(mirror)}`, env)).toMatchObject({});
    expect(proxy.asked).toEqual([]);
  });

  it.each([
    ['secrets', { SecretString: 'text' }, 'text'],
    ['tables', { TableNames: ['one'] }, expect.objectContaining({ TableNames: ['one'] })],
    ['queues', { Successful: [{ Id: '0', MessageId: 'x', MD5OfMessageBody: md5 }] }, {}],
  ])('to AWS never go through the proxy: %s', async (client, body, result) => {
    const url = `https://localhost:${portOf(mirror)}`;
    const endpoint = { AWS_ENDPOINT_URL: url, SCAN_QUEUE_URL: `${url}/123456789012/scan` };
    // Without its exceptions, the proxy would get every request that looks for one.
    const env = { ...makeEnvironment(), NO_PROXY: '', ...endpoint };
    origin.serve('/', { body });

    expect(await ask(client, url, env)).toEqual(result);
    expect(proxy.asked).toEqual([]);

    await ask('fetch', url, env);
    expect(proxy.asked).not.toEqual([]);
  });
});
