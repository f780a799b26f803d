import { parseFamiliarName } from '@swimlane/docker-reference';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AdmissionReview } from '../../../../shared/api/schemas/admission.ts';
import type { PackageId } from '../../../../shared/domain/packages/package-id.ts';
import { toVersionKey } from '../../../../shared/domain/packages/package-id.ts';
import { admitPod } from '../../../../shared/ecosystems/docker/gate/admit-pod.ts';
import { pinImages } from '../../../../shared/ecosystems/docker/gate/pin-images.ts';
import { defineTable } from '../../../../shared/storage/dynamodb/table.ts';
import { deleteItem, putItem } from '../../../../shared/storage/dynamodb/write.ts';
import { deleteAlone, putAlone } from '../../../../shared/storage/dynamodb/write-alone.ts';
import { putFreeze } from '../../../../shared/storage/reviews/freeze.ts';
import { submitPackage } from '../../../../shared/use-cases/review/submit-package.ts';
import { splitInto } from '../../../../shared/util/split-into.ts';
import { writeContext } from '../../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../../support/engine.ts';
import { until } from '../../../support/eventually.ts';
import { applyPatch } from '../../../support/json-patch.ts';
import { createRandom } from '../../../support/random.ts';
import { decide, learn } from '../../gate/keep.ts';

/**
 * Both webhooks decide about random references as a model does. The model knows references by another parser: a port of the
 * one that Docker and containerd use.
 */

const random = createRandom(20_261_128);

const digests = ['0', '1', '2', '3', '4', '5'].map((one) => `sha256:${one.repeat(64)}`);
const tags = ['1', 'latest', '2.0-alpine_x'];

/** Each image by its host and path, and how it is written: all of these are one image. */
const images: Readonly<Record<string, readonly string[]>> = {
  'docker.io/library/nginx': [
    ...['nginx', 'library/nginx', 'docker.io/nginx', 'docker.io/library/nginx'],
    ...['index.docker.io/nginx', 'index.docker.io/library/nginx'],
  ],
  'docker.io/acme/shop': ['acme/shop', 'docker.io/acme/shop', 'index.docker.io/acme/shop'],
  'docker.io/ghcr.io/a/b': ['docker.io/ghcr.io/a/b', 'index.docker.io/ghcr.io/a/b'],
  'ghcr.io/a/b': ['ghcr.io/a/b', 'GHCR.io/a/b'],
  'docker.io/localhost/x': ['docker.io/localhost/x', 'index.docker.io/localhost/x'],
  'localhost/x': ['localhost/x'],
  'localhost:5000/x': ['localhost:5000/x'],
  'my-host:5000/a/b__c': ['my-host:5000/a/b__c', 'MY-HOST:5000/a/b__c'],
  'registry.own.example/x': ['registry.own.example/x', 'Registry.Own.Example/x'],
};
const own = [{ ecosystem: 'docker', pattern: 'registry.own.example/*' }] as const;

type Status = 'pending' | 'rejected' | 'expired' | 'damaged' | 'approved' | 'approved-late';
interface Version {
  readonly status: Status;
  /** The digests that upstream had: of the index, and of a platform. */
  readonly pins: readonly string[];
}

/** What the registry has, by `image@version`. */
const model = new Map<string, Version>();

const end = new Date(Date.now() + 3_600_000);
/** The time of all reviews. */
const now = new Date(end.getTime() + 1);

const chooseVersion = (isTag: boolean): Version | undefined => {
  if (random.below(3) === 0) return undefined;
  const common = ['approved', 'approved', 'approved', 'approved-late'] as const;
  const status = random.pick<Status>([...common, 'pending', 'rejected', 'expired', 'damaged']);
  const hasPins = isTag && random.below(4) > 0;
  return { status, pins: hasPins ? [random.pick(digests), random.pick(digests)] : [] };
};

const store = async (id: PackageId, { status, pins }: Version): Promise<void> => {
  await submitPackage(id, writeContext());
  const [digest = null, platform] = pins;
  if (digest !== null && platform !== undefined) {
    const listed = [{ platform: 'linux/arm64', digest: platform, size: null }];
    await learn(id, { kind: 'docker', digest, images: listed });
  }
  if (status === 'pending') return;
  if (status === 'damaged') {
    await putAlone(putItem(defineTable('reviews'), { v: toVersionKey(id), k: 'head' }));
    return;
  }
  const until = status === 'expired' ? { expires_at: end.toISOString() } : {};
  await decide(id, status === 'rejected' ? 'rejected' : 'approved', until);
};

let engine: TestEngine;
let frozenFrom: Date;
beforeAll(async () => {
  engine = await startEngine();
  for (const image of Object.keys(images)) {
    for (const version of [...tags, ...digests]) {
      const chosen = chooseVersion(tags.includes(version));
      if (chosen) model.set(`${image}@${version}`, chosen);
    }
  }
  const storeAll = async (isLate: boolean) => {
    for (const [key, version] of model) {
      if ((version.status === 'approved-late') !== isLate) continue;
      const [image = '', of = ''] = key.split('@');
      const [name = ''] = images[image] ?? [];
      await store({ ecosystem: 'docker', name, version: of }, version);
    }
  };
  await storeAll(false);
  frozenFrom = new Date();
  await until(() => Date.now() > frozenFrom.getTime());
  await storeAll(true);
});
afterAll(() => engine.close());

const pickTag = (): string =>
  random.pick([
    '',
    ...tags.map((tag) => `:${tag}`),
    ...tags.map((tag) => `:${tag}`),
    ':9',
    ':',
    ':.x',
  ]);
const pickDigest = (): string => {
  const strange = ['@', '@sha256:00', `@sha512:${'0'.repeat(128)}`, `@sha256:${'A'.repeat(64)}`];
  const known = digests.map((digest) => `@${digest}`);
  const unknown = `@sha256:${'9'.repeat(64)}`;
  return random.pick(['', '', '', '', ...known, ...known, unknown, random.pick(strange)]);
};

/** Changes a reference at a random place. */
const damage = (text: string): string => {
  const at = random.below(text.length + 1);
  const inserted = random.pick([
    '/',
    ':',
    '@',
    '..',
    'X',
    ' ',
    '-',
    '_',
    '\n',
    '\u00e9',
    '//',
    '.',
  ]);
  return text.slice(0, at) + inserted + text.slice(at + random.below(2));
};

const writeReference = (): string => {
  const spelling = random.pick(random.pick(Object.values(images)));
  const text = spelling + pickTag() + pickDigest();
  return random.below(6) === 0 ? damage(text) : text;
};

interface Parsed {
  readonly image: string;
  readonly tag: string;
  readonly digest: string | undefined;
}

const parse = (text: string): Parsed | undefined => {
  try {
    const { domain = '', repository = '', tag, digest } = parseFamiliarName(text);
    // Other digests exist, but the registry knows none of them.
    if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest)) return undefined;
    // With a digest, a tag that is not written is none; without both, it is `latest`.
    return {
      image: `${domain.toLowerCase()}/${repository}`,
      tag: tag ?? (digest ? '' : 'latest'),
      digest,
    };
  } catch {
    return undefined;
  }
};

interface Expected {
  readonly pod: boolean;
  readonly controller: boolean;
  readonly pinned?: string;
}
const nothing: Expected = { pod: false, controller: false };
const everything: Expected = { pod: true, controller: true };

/** Returns what the rules of the page on Kubernetes say about a reference. */
const expectOf = (text: string, isFrozen: boolean): Expected => {
  const parsed = parse(text);
  if (!parsed) return nothing;
  const { image, tag, digest } = parsed;
  const isOwn = image.startsWith('registry.own.example/');
  const find = (version: string) => model.get(`${image}@${version}`);
  const isApproved = (version: string): boolean => {
    const { status } = find(version) ?? {};
    return status === 'approved' || (status === 'approved-late' && !isFrozen);
  };
  const isPinned = (one: string): boolean =>
    isApproved(tag) && (find(tag)?.pins.includes(one) ?? false);
  // A pending version of a digest is a submission without a decision.
  const isDecided = (one: string) => find(one) !== undefined && find(one)?.status !== 'pending';
  const allowsDigest = (one: string): boolean => (isDecided(one) ? isApproved(one) : isPinned(one));
  if (isOwn && !find(digest ?? tag)) return everything;
  if (digest !== undefined) return allowsDigest(digest) ? everything : nothing;
  if (!isApproved(tag)) return nothing;
  if (isOwn) return everything;
  const [pinned] = find(tag)?.pins ?? [];
  return pinned !== undefined && allowsDigest(pinned)
    ? { pod: false, controller: true, pinned }
    : nothing;
};

const reviewOf = (object: object): AdmissionReview => ({
  ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
  request: { uid: 'u-1', object },
});
const makePod = (list: readonly string[]) => ({
  kind: 'Pod',
  spec: { containers: list.map((image) => ({ image })) },
});
const context = { own, now, inquiries: { isScanning: true, isCollectingFacts: true } };
const allows = async (object: object): Promise<boolean> =>
  (await admitPod(reviewOf(object), context)).response.allowed;
const allowsPod = (image: string) => allows(makePod([image]));
const allowsController = (image: string) =>
  allows({ kind: 'Deployment', spec: { template: makePod([image]) } });

/** Returns each image as the mutating webhook leaves it. */
const pinAll = async (list: readonly string[]): Promise<string[]> => {
  const changed: string[] = [];
  for (const some of splitInto(200, list)) {
    const object = makePod(some);
    const { patch } = (await pinImages(reviewOf(object), context)).response;
    const { spec } = patch === undefined ? object : applyPatch(object, patch);
    changed.push(...spec.containers.map(({ image }) => image));
  }
  return changed;
};

it.each([
  ['', false],
  [' during a freeze', true],
])('500 random references are allowed and changed as a model says%s', async (_, isFrozen) => {
  const before = frozenFrom.toISOString();
  const freeze = { before, since: before, reason: 'x', by: null, token_label: null };
  if (isFrozen) await putAlone(putFreeze(freeze));
  const references = new Set<string>();
  while (references.size < 500) references.add(writeReference());
  const list = [...references];
  const seen = { allowed: 0, pinned: 0, valid: 0, onlyController: 0 };

  const changed = await pinAll(list);
  for (const [at, image] of list.entries()) {
    const expected = expectOf(image, isFrozen);
    const result = changed[at] ?? '';
    const { pinned } = expected;

    const hasTag = parse(image)?.image !== undefined && /:[^/]*$/.test(image);
    const suffix = pinned === undefined ? '' : `${hasTag ? '' : ':latest'}@${pinned}`;
    expect.soft(result, image).toBe(`${image}${suffix}`);
    expect.soft(await allowsPod(image), image).toBe(expected.pod);
    expect.soft(await allowsController(image), image).toBe(expected.controller);
    if (pinned !== undefined) expect.soft(await allowsPod(result), result).toBe(true);
    seen.allowed += Number(expected.pod);
    seen.pinned += Number(pinned !== undefined);
    seen.valid += Number(parse(image) !== undefined);
    seen.onlyController += Number(expected.controller && !expected.pod);
  }

  // Otherwise, the references show little.
  expect(seen.valid).toBeGreaterThan(200);
  expect(seen.allowed).toBeGreaterThan(50);
  expect(seen.pinned).toBeGreaterThan(10);
  if (isFrozen) {
    await deleteAlone(deleteItem(defineTable('reviews'), { v: '#freeze', k: 'freeze' }));
  }
});
