import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckRequest } from '../../../shared/api/schemas/check-request.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { byEcosystem, fileEcosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { putItem } from '../../../shared/storage/dynamodb/write.ts';
import { putAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import {
  reviewStatesTable,
  toReviewStateKey,
} from '../../../shared/storage/reviews/review-state.ts';
import { checkPackages } from '../../../shared/use-cases/package-check/check-packages.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { approveWith, decide, learn } from '../../ecosystems/gate/keep.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { inDays } from '../policy/policy-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const digestOf = (digits: string): string => `sha256:${digits.repeat(32)}`;
const [index, platform, stranger] = [digestOf('0a'), digestOf('0b'), digestOf('0c')];
const image = (version: string): PackageId => ({ ecosystem: 'docker', name: 'node', version });
const tagged = image('22');
const manifest = (digest: string, ...images: readonly string[]) =>
  ({
    kind: 'docker',
    digest,
    images: images.map((one) => ({ platform: 'linux/amd64', digest: one, size: null })),
  }) as const;

const hostsOf = (host: string) => ({ index_hosts: [host], file_hosts: [host] });
const origins = byEcosystem(fileEcosystems, hostsOf);

const check = (
  packages: readonly ((PackageId & { readonly hashes?: readonly string[] }) | string)[],
  { allow, now = new Date(), own = [] }: { allow?: string[]; now?: Date; own?: string[] } = {},
) =>
  checkPackages(
    CheckRequest.parse({ packages, ...(allow && { allow }) }),
    {
      ...{ rules: {}, origins },
      own: own.map((pattern) => ({ ecosystem: 'docker', pattern })),
      inquiries: { isScanning: false, isCollectingFacts: false },
    },
    now,
  );
const checkOne = async (...given: Parameters<typeof check>) => (await check(...given)).packages[0];
const withDigest = (digest: string, tag = tagged) => ({ ...tag, hashes: [digest] });

describe('an image with a tag and a digest', () => {
  it.each([index, platform])('is its tag if the approval pinned %s', async (digest) => {
    await approveWith(tagged, manifest(index, platform));

    const one = await checkOne([withDigest(digest)]);

    expect(one).toMatchObject({ version: '22', status: 'approved', allowed: true });
    expect(one).toMatchObject({ content: 'same', reasons: [] });
    expect(one).not.toHaveProperty('pinned_digest');
  });

  it('is refused with the pinned digest if the tag had another one', async () => {
    await approveWith(tagged, manifest(index, platform));

    const one = await checkOne([withDigest(stranger)], { allow: ['pending', 'unknown'] });

    expect(one).toMatchObject({ version: '22', status: 'approved', allowed: false });
    expect(one).toMatchObject({ content: 'other', pinned_digest: index });
    expect(one?.reasons).toEqual([
      {
        code: 'other_content',
        message: `The tag 22 was reviewed with ${index}, and not with ${stranger}. Do not use this image; write node:22@${index}, or submit node@${stranger} for a review of its own.`,
      },
    ]);
  });

  it('is the digest if that was submitted, whatever the tag is', async () => {
    await approveWith(tagged, manifest(index, platform));
    await submitPackage(image(platform), writeContext());
    await decide(image(platform), 'rejected');
    await submitPackage(image(stranger), writeContext());
    await decide(image(stranger), 'approved');

    const { packages } = await check([withDigest(platform), withDigest(stranger)]);

    expect(packages.map(({ version, status, allowed }) => [version, status, allowed])).toEqual([
      [platform, 'rejected', false],
      [stranger, 'approved', true],
    ]);
    expect(packages[1]).not.toHaveProperty('content');
    expect(packages[1]).not.toHaveProperty('pinned_digest');
  });

  it('is the approved tag while nobody has decided about the digest that it pinned', async () => {
    await approveWith(tagged, manifest(index));
    await submitPackage(image(index), writeContext());
    await submitPackage(image(stranger), writeContext());

    const { packages } = await check([withDigest(index), withDigest(stranger)]);

    expect(packages).toMatchObject([
      { version: '22', status: 'approved', content: 'same', allowed: true },
      { version: stranger, status: 'pending', allowed: false },
    ]);
  });

  it('is the digest if its review is unreadable', async () => {
    await approveWith(tagged, manifest(index));
    await putAlone(putItem(reviewStatesTable, { ...toReviewStateKey(image(index)) } as never));

    expect(await checkOne([withDigest(index)])).toMatchObject({
      ...{ version: index, status: 'unknown', allowed: false },
    });
  });

  it('is the digest if the approval of the tag pinned nothing, or the tag is unknown', async () => {
    await submitPackage(tagged, writeContext());
    await decide(tagged, 'approved');

    const { packages } = await check([withDigest(index), withDigest(index, image('23'))]);

    expect(packages).toMatchObject([
      { version: index, status: 'unknown', allowed: false },
      { version: index, status: 'unknown', allowed: false },
    ]);
  });

  it('is the digest if the approval does not know all digests of the tag', async () => {
    await approveWith(tagged, { ...manifest(index, platform), isPartial: true });

    const { packages } = await check([withDigest(platform), withDigest(stranger)]);

    expect(packages).toMatchObject([
      { version: '22', content: 'same', allowed: true },
      { version: stranger, status: 'unknown', allowed: false },
    ]);
  });

  it('goes by the metadata of a pending tag, and by the pins of an approval after it moved', async () => {
    await submitPackage(image('waiting'), writeContext());
    await learn(image('waiting'), manifest(index));
    await approveWith(tagged, manifest(index));
    await learn(tagged, manifest(stranger));

    const { packages } = await check(
      [
        withDigest(index, image('waiting')),
        withDigest(stranger, image('waiting')),
        withDigest(stranger),
      ],
      { allow: ['pending', 'unknown'] },
    );

    expect(packages.map(({ status, content, allowed }) => [status, content, allowed])).toEqual([
      ['pending', 'same', true],
      ['pending', 'other', false],
      ['approved', 'other', false],
    ]);
    expect(packages.map(({ pinned_digest }) => pinned_digest)).toEqual([
      undefined,
      undefined,
      index,
    ]);
  });

  it('is an own package under its digest', async () => {
    const one = await checkOne([withDigest(index)], { own: ['node'] });

    expect(one).toMatchObject({
      version: index,
      allowed: true,
      reasons: [{ code: 'own_package' }],
    });
  });

  it('is read from a package URL, too', async () => {
    await approveWith(tagged, manifest(index));
    const toUrl = (digest: string, tag: string) =>
      `pkg:docker/node@${encodeURIComponent(digest)}?tag=${tag}`;

    const { packages } = await check([
      toUrl(index, '22'),
      toUrl(stranger, '22'),
      toUrl(index, 'no%20tag'),
      toUrl('sha256:b', '22'),
    ]);

    expect(packages.map(({ version, content, allowed }) => [version, content, allowed])).toEqual([
      ['22', 'same', true],
      ['22', 'other', false],
      [index, undefined, false],
      [null, undefined, false],
    ]);
  });

  it('is decided by the digest alone beyond 500 of them', async () => {
    await approveWith(tagged, manifest(index));
    const url = `pkg:docker/node@${encodeURIComponent(index)}?tag=22`;

    const { packages } = await check(Array.from({ length: 501 }, () => url));

    expect(packages[499]).toMatchObject({ version: '22', allowed: true });
    expect(packages[500]).toMatchObject({ version: index, status: 'unknown', allowed: false });
  });
});

describe('an image with a tag alone', () => {
  it('has the pinned digest of its approval, while that lasts', async () => {
    await submitPackage(tagged, writeContext());
    await learn(tagged, manifest(index, platform));
    const before = await checkOne([tagged]);
    await decide(tagged, 'approved', { expires_at: inDays(30).toISOString() });

    const after = await checkOne([tagged]);

    expect(before).not.toHaveProperty('pinned_digest');
    expect(after).toMatchObject({ allowed: true, pinned_digest: index });
    expect(after).not.toHaveProperty('content');
    expect(await checkOne([tagged], { now: inDays(31) })).not.toHaveProperty('pinned_digest');
  });

  it('has none if its version is a digest', async () => {
    await approveWith(image(stranger), manifest(stranger));

    const one = await checkOne([image(stranger)]);

    expect(one).toMatchObject({ allowed: true });
    expect(one).not.toHaveProperty('pinned_digest');
  });

  it('costs one more call for all of them, and at most 500 reads with those of digests', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => image(`1.${at}`));
    for (const id of ids) await approveWith(id, manifest(index));

    const { result, calls, readUnits } = await measure(() => check(ids));
    const many = Array.from({ length: 490 }, () => withDigest(index, ids[0]));
    const mixed = await check([...ids, ...many]);

    expect(result.packages.every(({ pinned_digest }) => pinned_digest === index)).toBe(true);
    // The reviews, the freeze, and the digests.
    expect({ calls, readUnits }).toEqual({ calls: 3, readUnits: 31 });
    const pinned = mixed.packages.filter(({ pinned_digest }) => pinned_digest !== undefined);
    expect(pinned).toHaveLength(10);
    expect(mixed.packages.filter(({ content }) => content === 'same')).toHaveLength(490);
  });
});
