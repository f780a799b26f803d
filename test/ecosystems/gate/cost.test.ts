import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { admitPod } from '../../../shared/ecosystems/docker/gate/admit-pod.ts';
import { pinImages } from '../../../shared/ecosystems/docker/gate/pin-images.ts';
import { readImageReference } from '../../../shared/ecosystems/docker/image-reference.ts';
import { serveNpm } from '../../../shared/ecosystems/npm/gate/serve-npm.ts';
import { servePypi } from '../../../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { approveWith } from './keep.ts';

vi.mock('../../../shared/ecosystems/docker/image-reference.ts', { spy: true });

const origin = 'https://registry.example.com';
const files = { origin, isSpread: false, places: [] };
const inquiries = { isScanning: true, isCollectingFacts: true };
const context = () => ({
  base: 'https://gate.example.com/npm',
  ...{ files, own: [], freeze: undefined, inquiries, now: new Date() },
});

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const approve = (name: string, version: string, more: object = {}): Promise<void> => {
  const tarball = `${origin}/${name}/-/${name}-${version}.tgz`;
  const dist = { tarball, integrity: 'sha512-AAAA' };
  const manifest = { kind: 'npm', version: { name, version, dist, ...more } } as const;
  return approveWith({ ecosystem: 'npm', name, version }, manifest);
};

it('a packument of 20 approved versions with short manifests takes 1 call', async () => {
  for (let at = 0; at < 20; at += 1) await approve('lib', `1.${at}.0`);

  const { result, calls, writeUnits } = await measure(() => serveNpm('lib', context()));

  expect(Object.keys(Object(result)['document'].versions)).toHaveLength(20);
  expect({ calls, writeUnits }).toEqual({ calls: 1, writeUnits: 0 });
});

it('a project of 20 approved versions with short manifests takes 1 call, and a file of it 2', async () => {
  for (let at = 0; at < 20; at += 1) {
    const file = { filename: `lib-1.${at}.tar.gz`, url: `${origin}/x`, hashes: { sha256: 'aa' } };
    const id = { ecosystem: 'pypi', name: 'lib', version: `1.${at}` } as const;
    await approveWith(id, { kind: 'pypi', files: [file] });
  }

  const project = await measure(() => servePypi('simple/lib/', context()));
  const file = await measure(() => servePypi('files/lib/1.3/lib-1.3.tar.gz', context()));

  expect(Object(project.result)['document'].files).toHaveLength(20);
  expect([project.calls, file.calls]).toEqual([1, 2]);
});

it('each package that versions may do without takes one more, however many versions name it', async () => {
  const optionalDependencies = { native: '1.0.0', other: '1.0.0' };
  for (let at = 0; at < 3; at += 1) await approve('lib', `1.${at}.0`, { optionalDependencies });
  await approve('native', '1.0.0');

  const { result, calls, roundTrips } = await measure(() => serveNpm('lib', context()));

  const { versions } = Object(result)['document'];
  expect(versions['1.2.0'].optionalDependencies).toEqual({ native: '1.0.0' });
  expect({ calls, roundTrips }).toEqual({ calls: 3, roundTrips: 2 });
});

it('an optional peer takes one more as well, and of 500 of them 200 are looked up', async () => {
  const names = Array.from({ length: 500 }, (_, at) => `peer-${at}`);
  const all = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));
  const peers = { peerDependencies: all('1.0.0'), peerDependenciesMeta: all({ optional: true }) };
  await approve('lib', '1.0.0', peers);
  await approve('peer-7', '1.0.0');
  await approve('peer-499', '1.0.0');

  const { result, calls, readUnits } = await measure(() => serveNpm('lib', context()));

  const { versions } = Object(result)['document'];
  expect(versions['1.0.0'].peerDependencies).toEqual({ 'peer-7': '1.0.0' });
  // The names are too many for the pack, so that they are known after its segment.
  expect(calls).toBe(202);
  // Half a unit for each package of which little is approved.
  expect(readUnits).toBeLessThan(110);
});

it('a refusal of a package without approved versions takes 3 calls if it is pending, or 2', async () => {
  await submitPackage({ ecosystem: 'npm', name: 'pending', version: '1.0.0' }, writeContext());
  const refuse = (name: string, why: string) =>
    measure(() => expect(serveNpm(name, context())).rejects.toThrow(why));

  const pending = await refuse('pending', 'waits for its upstream metadata and scan');
  const unknown = await refuse('unknown', 'No version of unknown is approved');

  expect([pending.calls, unknown.calls]).toEqual([3, 2]);
});

it('a file takes 2 calls, and a refusal 3', async () => {
  await approve('lib', '1.0.0');

  const file = await measure(() => serveNpm('lib/-/lib-1.0.0.tgz', context()));
  const refusal = await measure(async () => {
    await expect(serveNpm('lib/-/lib-2.0.0.tgz', context())).rejects.toThrow('approved: 1.0.0');
  });

  expect(file.result).toEqual({ location: `${origin}/lib/-/lib-1.0.0.tgz` });
  expect(file.calls).toBe(2);
  expect(refusal.calls).toBe(3);
});

const reviewOf = (images: readonly string[]) => {
  const spec = { containers: images.map((image) => ({ image })) };
  const request = { uid: 'u-1', object: { kind: 'Pod', spec } };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as const;
};
const imagesOf = (count: number) => Array.from({ length: count }, (_, at) => `image-${at}:1`);

it.each([
  ['the check', 201, admitPod],
  ['the check', 60_000, admitPod],
  ['the change', 201, pinImages],
  ['the change', 60_000, pinImages],
] as const)('%s of %i images is refused without a read', async (_, count, answer) => {
  vi.mocked(readImageReference).mockClear();

  const { result, calls } = await measure(() => answer(reviewOf(imagesOf(count)), context()));

  expect(result.response).toMatchObject({ uid: 'u-1', allowed: false });
  expect(result.response.status?.message).toBe(
    `The review names ${count} images, of which at most 200 are checked at once: split the workload`,
  );
  expect(calls).toBe(0);
  expect(readImageReference).not.toHaveBeenCalled();
});

it('a review of 200 images takes 2 calls, one for the freeze, and 2 more for each of the five that it explains', async () => {
  const images = imagesOf(200);

  const review = reviewOf([...images, ...images]);
  const { result, calls, readUnits } = await measure(() => admitPod(review, context()));

  expect(result.response.allowed).toBe(false);
  expect(calls).toBe(13);
  // Half a unit for each: the reads need not see the last second.
  expect(readUnits).toBe((200 + 10) / 2 + 1);
});

it.each([admitPod, pinImages])(
  'a review of 1,001 containers with one image is refused',
  async (answer) => {
    const one = Array.from({ length: 1001 }, () => 'image:1');

    const { result, calls } = await measure(() => answer(reviewOf(one), context()));

    expect(result.response.status?.message).toMatch(/^The review has 1001 containers and volumes/);
    expect(calls).toBe(0);
  },
);

describe('20 approved images', () => {
  const digestOf = (at: number) => `sha256:${at.toString(16).padStart(64, 'a')}`;
  const listTwenty = (toText: (at: number) => string) =>
    Array.from({ length: 20 }, (_, at) => toText(at));
  beforeEach(async () => {
    for (let at = 0; at < 20; at += 1) {
      const id = { ecosystem: 'docker', name: `image-${at}`, version: '1' } as const;
      await approveWith(id, { kind: 'docker', digest: digestOf(at), images: [] });
    }
  });

  it('with digests take 3 calls: for their reviews, their pinned digests and the freeze', async () => {
    const review = reviewOf(listTwenty((at) => `image-${at}:1@${digestOf(at)}`));

    const admitted = await measure(() => admitPod(review, context()));
    const changed = await measure(() => pinImages(review, context()));

    expect(admitted.result.response.allowed).toBe(true);
    expect(changed.result.response).toEqual({ uid: 'u-1', allowed: true });
    for (const { calls, readUnits } of [admitted, changed]) {
      expect(calls).toBe(3);
      // Half a unit for each tag, for each digest that has no review of its own, and for what each approval pinned.
      expect(readUnits).toBe((20 + 20 + 20) / 2 + 1);
    }
  });

  it('without digests take one more call to add these, for reviews of the digests themselves', async () => {
    const review = reviewOf(listTwenty((at) => `image-${at}:1`));

    const { result, calls, readUnits } = await measure(() => pinImages(review, context()));

    const patch = JSON.parse(Buffer.from(result.response.patch ?? '', 'base64').toString());
    expect(patch[19]).toEqual({
      ...{ op: 'replace', path: '/spec/containers/19/image' },
      value: `image-19:1@${digestOf(19)}`,
    });
    expect(calls).toBe(4);
    expect(readUnits).toBe((20 + 20 + 20) / 2 + 1);
  });
});
