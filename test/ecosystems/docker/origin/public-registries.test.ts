import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CollectedRelease } from '../../../../shared/domain/facts/collected-facts.ts';
import { type OciRegistry, startOciRegistry } from '../../../support/oci-registry.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';
import { type Act, answerWith, askImage, openImageClient, shop } from './ask-image.ts';

/** What well-known registries do within the specification, or nearly. */

let registry: OciRegistry;
let elsewhere: OriginServer;

beforeEach(async () => {
  registry = await startOciRegistry();
  elsewhere = await startOriginServer();
});

afterEach(async () => {
  await registry.close();
  await elsewhere.close();
});

const manifests = /\/manifests\//;
const tags = /\/tags\/list/;
const id = { ecosystem: 'docker', name: shop, version: '1' } as const;

const push = () => registry.pushImage('acme/shop', { config: { User: '101' }, tag: '1' });

const askAgain = (known: CollectedRelease) => openImageClient(registry.url).collectFacts(id, known);

const collect = async (): Promise<CollectedRelease> => {
  const collected = await askImage(registry, '1');
  expect(collected).toMatchObject({ outcome: 'answered', facts: { found: 'yes' } });
  return collected as CollectedRelease & typeof collected;
};

describe('a request for headers alone', () => {
  const answerHead = (answer: Act) => {
    const { requests } = registry;
    const count = requests.length;
    registry.setFault(manifests, (request, response) => {
      if (request.method === 'HEAD') answer(request, response);
      else answerWith('', { Location: `${elsewhere.url}/m` }, 307)(request, response);
    });
    return () =>
      requests
        .slice(count)
        .filter(({ path }) => path.endsWith('/manifests/1'))
        .map(({ method }) => method);
  };

  const serveMoved = () =>
    elsewhere.serve('/m', {
      headers: { 'Content-Type': 'application/vnd.oci.image.index.v1+json' },
      body: { schemaVersion: 2, manifests: [] },
    });

  it.each([400, 403, 405, 501])(
    'that is refused with %i is followed by one for all',
    async (status) => {
      push();
      const known = await collect();
      serveMoved();
      const listMethods = answerHead(answerWith('', {}, status));

      expect(await askAgain(known)).toMatchObject({ manifest: { images: [] } });
      expect(listMethods()).toEqual(['HEAD', 'GET']);
    },
  );

  it('may have the encoding of a body that it does not have', async () => {
    const digest = push();
    const known = await collect();
    const headers = { 'Content-Encoding': 'gzip', 'Docker-Content-Digest': digest };
    const listMethods = answerHead(answerWith('', headers));

    expect(await askAgain(known)).toMatchObject({ manifest: { digest } });
    expect(listMethods()).toEqual(['HEAD']);
  });

  it('that is limited waits as the registry says', async () => {
    push();
    const known = await collect();
    answerHead(answerWith('', { 'Retry-After': '600' }, 429));

    expect(await askAgain(known)).toMatchObject({ passing: true, retryAfterMs: 600_000 });
  });

  it('is not enough where no configuration is known', async () => {
    push();
    const { details, ...known } = await collect();

    expect(details).toMatchObject({ user: '101' });
    expect(await askAgain(known)).toMatchObject({ details });
  });
});

it('finds SBOMs where a registry has neither HEAD nor a list of what is attached to an image', async () => {
  const other = await startOciRegistry({ hasReferrersApi: false });
  const digest = other.pushImage('acme/shop', { tag: '1' });
  const artifactType = 'application/spdx+json';
  other.addReferrer('acme/shop', digest, { artifactType, bytes: '{}' });
  registry.setFault(/^/, (request, response) => {
    const redirect = answerWith('', { Location: `${other.url}${request.url}` }, 307);
    (request.method === 'HEAD' ? answerWith('', {}, 405) : redirect)(request, response);
  });

  const { details } = await collect();
  await other.close();

  expect(details).toMatchObject({ sboms: [{ format: 'spdx' }] });
});

describe('a tag that is missing', () => {
  it('is missing where the list of tags is longer than any that is read', async () => {
    push();
    registry.setFault(tags, answerWith({ name: 'acme/shop', tags: ['x'.repeat(5 * 1024 * 1024)] }));

    expect(await askImage(registry, '2')).toMatchObject({
      facts: { found: 'no', name_found: true, reason: expect.stringMatching(/ but no tag 2$/) },
    });
  });

  it.each([401, 403, 405])('is missing where nobody may list tags (%i)', async (status) => {
    push();
    registry.setFault(tags, answerWith('', {}, status));

    expect(await askImage(registry, '2')).toMatchObject({
      ...{ outcome: 'failed', passing: false },
      facts: {
        reason: `${registry.host} has no tag 2 of ${shop}, and refused to list its tags`,
      },
    });
  });
});

it('follows the redirects of manifests to another host, as registry.k8s.io has them', async () => {
  const digest = push();
  const other = await startOciRegistry();
  expect(other.pushImage('mirrored/shop', { config: { User: '101' }, tag: '1' })).toBe(digest);
  const location = (request: IncomingMessage) =>
    `${other.url}${request.url?.replace('/acme/', '/mirrored/')}`;
  registry.setFault(/\/(?:manifests|blobs)\//, (request, response) => {
    answerWith('', { Location: location(request) }, 307)(request, response);
  });

  const known = await collect();
  const again = await askAgain(known);
  await other.close();

  expect(known).toMatchObject({ manifest: { digest }, details: { user: '101' } });
  expect(again).toMatchObject({ manifest: { digest } });
});

it.each(['/artifactory/api/docker/hub', '/a/v2x/b'])(
  'asks a mirror below its path: %s',
  async (path) => {
    elsewhere.serve(`${path}/v2/acme/shop/manifests/1`, {
      headers: { 'Content-Type': 'application/vnd.oci.image.index.v1+json' },
      body: { schemaVersion: 2, manifests: [] },
    });

    expect(await askImage({ url: `${elsewhere.url}${path}` }, '1')).toMatchObject({
      outcome: 'answered',
    });
  },
);

it('asks a mirror whose repositories have a prefix, as Harbor and GitLab have it', async () => {
  const mirror = await startOciRegistry({ auth: 'bearer' });
  const digest = mirror.pushImage('hub/acme/shop', { tag: '1' });
  const answer = await askImage({ url: `${mirror.url}/v2/hub` }, '1');
  const scopes = mirror.requests.flatMap(({ path }) =>
    new URL(path, mirror.url).searchParams.getAll('scope'),
  );
  await mirror.close();

  expect(answer).toMatchObject({ manifest: { digest } });
  expect(scopes).toEqual(['repository:hub/acme/shop:pull']);
});
