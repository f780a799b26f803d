import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { admitPod } from '../../../shared/ecosystems/docker/gate/admit-pod.ts';
import { pinImages } from '../../../shared/ecosystems/docker/gate/pin-images.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { isOriginFailing } from '../../../shared/storage/reviews/origin-state.ts';
import { findPinnedHashes } from '../../../shared/storage/reviews/pinned-hashes.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { dayMs, hourMs } from '../../../shared/util/duration.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { applyPatch } from '../../support/json-patch.ts';
import { type OciRegistry, startOciRegistry } from '../../support/oci-registry.ts';
import { readRecords } from '../vulnerability-index/accepted-registry.ts';
import { refreshImage } from './refreshed-image.ts';

const id: PackageId = { ecosystem: 'docker', name: 'registry.example.com/shop', version: '2.0' };

let engine: TestEngine;
let registry: OciRegistry;
beforeEach(async () => {
  engine = await startEngine();
  registry = await startOciRegistry();
});
afterEach(async () => {
  await engine.close();
  await registry.close();
});

const refresh = (everyHours = 168, version = id): Promise<void> =>
  refreshImage(registry, version, everyHours);

const decide = (to: 'approved' | 'rejected', keep = false) =>
  decidePackage(id, { to, by: 'ana', reason: 'Looked at it', keep }, writeContext());

const readPins = async () => {
  const { pinned } = await readReviewState(id);
  const pins = await findPinnedHashes([{ ...id, digest: pinned ?? '' }]);
  return [...pins.values()].map(({ imageDigest }) => imageDigest);
};

const reviewOf = (image: string) => {
  const request = { uid: 'u-1', object: { kind: 'Pod', spec: { containers: [{ image }] } } };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request } as const;
};
const admission = () => ({
  own: [],
  now: new Date(),
  inquiries: { isScanning: true, isCollectingFacts: true },
});

/** Returns the image of a pod as the mutating webhook leaves it. */
const pinPod = async (image: string): Promise<string | undefined> => {
  const review = reviewOf(image);
  const { patch = '' } = (await pinImages(review, admission())).response;
  return applyPatch(review.request.object, patch).spec.containers[0]?.image;
};

const listReasons = async () => {
  const { attention } = await listAttention({ limit: 100 }, new Date());
  return attention.map(({ reasons }) => reasons);
};

describe('an approved tag', () => {
  let approved: string;
  beforeEach(async () => {
    approved = registry.pushImage('shop', { tag: '2.0' });
    await submitPackage(id, writeContext());
    await refresh();
    await decide('approved');
  });

  it('keeps its pinned digest after it was moved, and needs attention', async () => {
    expect(await readPins()).toEqual([approved]);
    await refresh();
    expect(await listReasons()).toEqual([]);

    registry.moveTag('shop', '2.0', registry.pushImage('shop', { config: { User: 'root' } }));
    await refresh();

    expect(await readPins()).toEqual([approved]);
    expect(await listReasons()).toEqual([['content_changed']]);
    const events = await readRecords('package.attention');
    expect(events).toHaveLength(1);
  });

  it('runs with the approved digest alone after it was moved, also of a platform', async () => {
    const text = `${id.name}:${id.version}`;
    const arm = registry.pushImage('shop', { platform: 'linux/arm64', config: { User: 'app' } });
    const index = registry.pushIndex('shop', [{ digest: approved }, { digest: arm }], {
      tag: '2.0',
    });
    await refresh();
    await decide('rejected');
    await decide('approved');
    expect(await pinPod(text)).toBe(`${text}@${index}`);

    const moved = registry.pushImage('shop', { config: { User: 'root' } });
    registry.moveTag('shop', '2.0', moved);
    await refresh();

    expect(await pinPod(text)).toBe(`${text}@${index}`);
    for (const [image, allowed] of [
      [`${text}@${index}`, true],
      [`${text}@${arm}`, true],
      [`${text}@${moved}`, false],
      [text, false],
    ] as const) {
      expect((await admitPod(reviewOf(image), admission())).response.allowed, image).toBe(allowed);
    }
  });

  it('pins the image that it was moved to when it is approved again', async () => {
    const moved = registry.pushImage('shop', { config: { User: 'root' } });
    registry.moveTag('shop', '2.0', moved);
    await refresh();

    await decide('rejected');
    await decide('approved');

    expect(await readPins()).toEqual([moved]);
    expect(await listReasons()).toEqual([]);
  });

  it('that is not moved is asked for its headers alone', async () => {
    const before = registry.requests.length;
    await refresh();
    await refresh();

    const requests = registry.requests.slice(before);
    const ofTag = requests.filter(({ path }) => path === '/v2/shop/manifests/2.0');
    const pulls = requests.filter(
      ({ method, path }) => method === 'GET' && /\/(?:manifests|blobs)\//.test(path),
    );
    expect(ofTag.map(({ method }) => method)).toEqual(['HEAD', 'HEAD']);
    expect(pulls).toEqual([]);
  });

  it('is looked at again in a day while it is young, and by the setting afterwards', async () => {
    const { refresh_at = '', facts } = await readReviewState(id);
    const checked = Date.parse(facts?.checked_at ?? '');

    expect(Date.parse(refresh_at) - checked).toBe(dayMs);
    await refresh(12);
    const next = await readReviewState(id);
    expect(Date.parse(next.refresh_at ?? '') - Date.parse(next.facts?.checked_at ?? '')).toBe(
      12 * hourMs,
    );
  });
});

describe('a registry that fails', () => {
  const ofHub: PackageId = { ecosystem: 'docker', name: 'acme/shop', version: '2.0' };
  const answer503 = { status: 503 };

  it('slows down no images of Docker Hub if it is an own one', async () => {
    await submitPackage(id, writeContext());
    registry.setFault(/^/, answer503);
    await refresh();

    expect((await readReviewState(id)).facts).toMatchObject({ found: 'unknown' });
    expect(await isOriginFailing('docker')).toBe(false);
  });

  it('slows down all images if it is Docker Hub, until Docker Hub answers', async () => {
    await submitPackage(id, writeContext());
    await submitPackage(ofHub, writeContext());
    registry.setFault(/^/, answer503);
    await refresh(168, ofHub);
    expect(await isOriginFailing('docker')).toBe(true);

    registry.setFault(/^/, undefined);
    registry.pushImage('shop', { tag: '2.0' });
    await refresh();
    expect((await readReviewState(id)).facts).toMatchObject({ found: 'yes' });
    expect(await isOriginFailing('docker')).toBe(true);

    registry.pushImage('acme/shop', { tag: '2.0' });
    await refresh(168, ofHub);
    expect(await isOriginFailing('docker')).toBe(false);
  });
});
