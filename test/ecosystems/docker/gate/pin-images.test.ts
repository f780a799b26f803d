import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workloadKinds } from '../../../../shared/ecosystems/docker/gate/workload-images.ts';
import { applyPatch } from '../../../support/json-patch.ts';
import { pinImage } from '../../../support/pin-image.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import {
  type PodImages,
  type ReviewedObject,
  reviewOf,
  type SentReview,
  workloads,
} from './admission-reviews.ts';

const digestOf = (letter: string) => `sha256:${letter.repeat(64)}`;
const nginx = digestOf('a');
const redis = digestOf('b');
const shop = digestOf('c');
const moved = digestOf('d');

let registry: TestRegistry;
beforeAll(async () => {
  registry = await TestRegistry.start();
  for (const [name, version, digest] of [
    ['nginx', '1.27.3', nginx],
    ['redis', 'latest', redis],
    ['registry.example.com:5000/acme/shop', '2.0', shop],
    ['unknown', '1.0', undefined],
  ] as const) {
    await registry.submit({ ecosystem: 'docker', name, version });
    await registry.post(`${packagePath(name, '/approve')}?version=${version}`);
    if (digest !== undefined) await pinImage(registry, { name, version }, digest);
  }
  await registry.submit({ ecosystem: 'docker', name: 'nginx', version: '1.27.4' });
});
afterAll(() => registry.close());

const send = async (route: 'admission' | 'mutation', review: SentReview) => {
  const path = `/api/v1/kubernetes/${route}?timeout=5s`;
  const { status, body } = await registry.post(path, review);
  expect(status).toBe(200);
  expect(body).toMatchObject({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' });
  expect(body.response.uid).toBe(review.request.uid);
  return body.response;
};

const makePod = (images: PodImages): ReviewedObject => {
  const object = workloads['Pod']?.make(images);
  if (!object) throw new Error('There is no pod');
  return object;
};
const unchanged = { uid: reviewOf(makePod({ containers: [] })).request.uid, allowed: true };

const written: PodImages = {
  containers: ['nginx:1.27.3', 'never:1.0', `nginx:1.27.3@${nginx}`, 'nginx:1.27.3'],
  initContainers: ['docker.io/library/nginx:1.27.3', 'redis'],
  volumes: ['registry.example.com:5000/acme/shop:2.0', 'unknown:1.0'],
};
const pinned: PodImages = {
  containers: [
    `nginx:1.27.3@${nginx}`,
    'never:1.0',
    `nginx:1.27.3@${nginx}`,
    `nginx:1.27.3@${nginx}`,
  ],
  initContainers: [`docker.io/library/nginx:1.27.3@${nginx}`, `redis:latest@${redis}`],
  volumes: [`registry.example.com:5000/acme/shop:2.0@${shop}`, 'unknown:1.0'],
};

it('has a review of each kind of workload', () => {
  expect(Object.keys(workloads)).toEqual([...workloadKinds]);
});

describe.each(Object.entries(workloads))('a %s', (kind, { make }) => {
  it('gets the digests of approved tags, and nothing else changes', async () => {
    const object = make(written);

    const answer = await send('mutation', reviewOf(object));

    expect(Object.keys(answer).sort()).toEqual(['allowed', 'patch', 'patchType', 'uid']);
    expect([answer.allowed, answer.patchType]).toEqual([true, 'JSONPatch']);
    expect(applyPatch(object, answer.patch)).toEqual(make(pinned));
  });

  it('is admitted with these digests, and as written only if its pods are reviewed themselves', async () => {
    const approved: PodImages = { containers: ['nginx:1.27.3', 'redis'] };
    const answer = await send('mutation', reviewOf(make(approved)));
    const changed = applyPatch(make(approved), answer.patch);

    const allows = async (object: ReviewedObject) =>
      (await send('admission', reviewOf(object))).allowed;

    expect(await allows(make(approved))).toBe(kind !== 'Pod');
    expect(await allows(changed)).toBe(true);
    expect(await allows(make({ containers: [`nginx:1.27.3@${moved}`] }))).toBe(false);
    expect(await allows(make({ containers: ['nginx:1.27.3'], volumes: ['never:1'] }))).toBe(false);
    expect(await send('mutation', reviewOf(changed))).toEqual(unchanged);
  });

  it('keeps the images that it had before a change', async () => {
    const oldObject = make({ containers: ['redis', 'never:1.0'] });
    const object = make({ containers: ['redis', 'never:1.0', 'nginx:1.27.3'] });

    const answer = await send('mutation', reviewOf(object, { oldObject }));

    const changed = applyPatch(object, answer.patch);
    expect(changed).toEqual(make({ containers: ['redis', 'never:1.0', `nginx:1.27.3@${nginx}`] }));
    const admitted = await send('admission', reviewOf(changed, { oldObject }));
    expect(admitted.allowed).toBe(true);
  });
});

describe('a pod', () => {
  it('gets the digest of a container for debugging, and keeps its other ones', async () => {
    const oldObject = makePod({ containers: ['never:1.0'] });
    const object = makePod({ containers: ['never:1.0'], ephemeralContainers: ['redis'] });
    const more = { oldObject, subResource: 'ephemeralcontainers' };

    const answer = await send('mutation', reviewOf(object, more));

    const changed = applyPatch(object, answer.patch);
    expect(changed).toEqual(
      makePod({ containers: ['never:1.0'], ephemeralContainers: [`redis:latest@${redis}`] }),
    );
    expect((await send('admission', reviewOf(changed, more))).allowed).toBe(true);
    expect((await send('admission', reviewOf(object, more))).allowed).toBe(false);
  });

  it('gets the same digests on a trial', async () => {
    const object = makePod(written);

    const answer = await send('mutation', reviewOf(object, { dryRun: true }));

    expect(applyPatch(object, answer.patch)).toEqual(makePod(pinned));
  });

  it.each([
    ['a pending tag', 'nginx:1.27.4'],
    ['an unknown image', 'never:1.0'],
    ['another image of that name', 'ghcr.io/library/nginx:1.27.3'],
    ['an approved tag without upstream metadata', 'unknown:1.0'],
    ['a digest', `nginx@${nginx}`],
    ['another digest', `nginx:1.27.3@${moved}`],
    ['no image', 'Not An Image'],
    ['an empty tag', 'nginx:'],
    ['nothing', ''],
  ])('stays as written with %s, and is not refused here', async (_, image) => {
    expect(await send('mutation', reviewOf(makePod({ containers: [image] })))).toEqual(unchanged);
  });

  it('does not get a rejected digest, but one of which a decision is still due', async () => {
    const digest = digestOf('e');
    const version = '1.0';
    await registry.submit({ ecosystem: 'docker', name: 'doubted', version });
    await registry.post(`${packagePath('doubted', '/approve')}?version=${version}`);
    await pinImage(registry, { name: 'doubted', version }, digest);
    const review = reviewOf(makePod({ containers: ['doubted:1.0'] }));
    const approved = reviewOf(makePod({ containers: [`doubted:1.0@${digest}`] }));
    const others = ['doubted:2.0', 'doubted'].map((tag) =>
      reviewOf(makePod({ containers: [`${tag}@${digest}`] })),
    );
    const path = (what: string) => `${packagePath('doubted', what)}?version=${digest}`;

    // Everybody who may submit could stop all pods of the tag otherwise.
    await registry.submit({ ecosystem: 'docker', name: 'doubted', version: digest });
    expect(await send('mutation', review)).toHaveProperty('patch');
    expect((await send('admission', approved)).allowed).toBe(true);
    for (const other of others) expect((await send('admission', other)).allowed).toBe(false);

    await registry.post(path('/reject'), { reason: 'Bad' });
    expect(await send('mutation', review)).toEqual(unchanged);
    expect((await send('admission', approved)).allowed).toBe(false);

    await registry.post(path('/approve'), { reason: 'Good' });
    expect(await send('mutation', review)).toHaveProperty('patch');
  });
});

describe('a review that is not read', () => {
  const { request, ...others } = reviewOf(makePod({ containers: ['redis'] }));
  const post = async (body: object) =>
    (await registry.post('/api/v1/kubernetes/mutation', body)).body.response;

  it('allows a deletion', async () => {
    const oldObject = makePod(written);
    const deleted = { ...request, operation: 'DELETE', object: null, oldObject };

    expect(await post({ ...others, request: deleted })).toEqual(unchanged);
  });

  it('refuses other kinds', async () => {
    const object = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', spec: {} };

    const answer = await post({ ...others, request: { ...request, object } });

    expect(answer).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(answer.status.message).toMatch(
      /^The registry does not know where a Rollout has its images/,
    );
  });

  it('refuses more than 200 images', async () => {
    const containers = Array.from({ length: 201 }, (_, at) => `image-${at}:1`);

    const answer = await send('mutation', reviewOf(makePod({ containers })));

    expect(answer).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(answer.status.message).toMatch(/^The review names 201 images/);
  });

  it.each(['admission', 'mutation'] as const)(
    'refuses more than 3 MiB by its uid: %s',
    async (route) => {
      const image = 'x'.repeat(3 * 1024 * 1024);

      const answer = await send(route, reviewOf(makePod({ containers: [image] })));

      expect(answer).toMatchObject({ allowed: false, status: { code: 403 } });
      expect(answer.status.message).toContain('larger than 3145728 bytes');
    },
  );
});

it('refuses what is no review, and says what to set', async () => {
  const review = { ...reviewOf(makePod(written)), apiVersion: 'admission.k8s.io/v1beta1' };

  const { status, body } = await registry.post('/api/v1/kubernetes/mutation', review);

  expect([status, body.code]).toEqual([400, 'validation_failed']);
  expect(body.detail).toContain('admissionReviewVersions');
});
