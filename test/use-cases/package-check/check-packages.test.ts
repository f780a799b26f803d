import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CheckRequest } from '../../../shared/api/schemas/check-request.ts';
import type { OwnPackages } from '../../../shared/domain/packages/own-packages.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { OwnInquiries } from '../../../shared/domain/policy/readiness.ts';
import { putItem } from '../../../shared/storage/dynamodb/write.ts';
import { putAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { putFreeze } from '../../../shared/storage/reviews/freeze.ts';
import {
  reviewStatesTable,
  toReviewStateKey,
} from '../../../shared/storage/reviews/review-state.ts';
import { checkPackages } from '../../../shared/use-cases/package-check/check-packages.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { approveWith, learn as learnContent } from '../../ecosystems/gate/keep.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { inDays, learn, scanItself, submit } from '../policy/policy-registry.ts';
import { npm, work } from '../vulnerability-index/accepted-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

type Sent = readonly ((PackageId & { readonly hashes?: readonly string[] }) | string)[];

const hostsOf = (host: string) => ({ index_hosts: [host], file_hosts: [host] });
const origins = {
  npm: hostsOf('mirror.example.com'),
  pypi: { index_hosts: ['index.example.com'], file_hosts: null },
  maven: hostsOf('maven.example.com'),
};

/** The settings of most tests: nothing is collected. */
const nothingAwaited: OwnInquiries = { isScanning: false, isCollectingFacts: false };

const check = (
  packages: Sent,
  some: {
    allow?: string[];
    now?: Date;
    own?: readonly OwnPackages[];
    inquiries?: OwnInquiries;
  } = {},
) => {
  const { allow, now = new Date(), own = [], inquiries = nothingAwaited } = some;
  const request = CheckRequest.parse({ packages, ...(allow && { allow }) });
  return checkPackages(request, { rules: {}, origins, own, inquiries }, now);
};

const decide = (
  id: PackageId,
  to: 'approved' | 'rejected',
  some: { reason?: string; expires_in_days?: number; override?: boolean } = {},
) => decidePackage(id, { to, by: 'ana', reason: null, ...some }, writeContext());

const approve = async (id: PackageId, some = {}): Promise<void> => {
  await submit(id);
  await decide(id, 'approved', some);
};

it('says which automatic checks a pending version waits for', async () => {
  const inquiries = { isScanning: true, isCollectingFacts: true };
  const explain = async () =>
    (await check([npm('waiting')], { inquiries })).packages[0]?.reasons[0]?.message;
  await submit(npm('waiting'));

  const first = await explain();
  await learn({}, npm('waiting'));
  const second = await explain();
  await scanItself(undefined, npm('waiting'));

  expect(first).toBe('Pending: it waits for its upstream metadata and scan.');
  expect(second).toBe('Pending: it waits for its scan.');
  expect(await explain()).toBe('Pending: it waits for review.');
});

it('says that the publication date of a version is unknown, so that no rule can know its age', async () => {
  await submit(npm('undated'));
  await learn({ published_at: null }, npm('undated'));

  const [first] = (await check([npm('undated')])).packages;

  expect(first?.reasons[0]?.message).toBe(
    'Pending: it waits for review, and its publication date is unknown.',
  );
});

it('tells of each where it stands, in the order of the request, however it is written', async () => {
  await approve({ ecosystem: 'pypi', name: 'Flask-Login', version: '1.0' });
  await submit(npm('waiting'));
  await submit(npm('@acme/bad'));
  await decide(npm('@acme/bad'), 'rejected', { reason: 'Steals tokens' });

  const { allowed, counts, packages } = await check([
    'pkg:npm/%40acme/bad@1.0.0',
    npm('waiting'),
    { ecosystem: 'pypi', name: 'flask.login', version: '1.0.0' },
    npm('never'),
  ]);

  expect(allowed).toBe(false);
  expect(counts).toEqual({ approved: 1, pending: 1, rejected: 1, unknown: 1 });
  expect(
    packages.map(({ name, version, status, allowed: isAllowed, reasons }) => [
      ...[name, version, status, isAllowed],
      reasons.map(({ code }) => code).join(),
    ]),
  ).toEqual([
    ['@acme/bad', '1.0.0', 'rejected', false, 'rejected'],
    ['waiting', '1.0.0', 'pending', false, 'awaiting_review,license_unreviewed,scan_missing'],
    ['flask.login', '1.0.0', 'approved', true, ''],
    ['never', '1.0.0', 'unknown', false, 'not_submitted'],
  ]);
  expect(packages[0]?.reasons[0]?.message).toBe('Rejected: Steals tokens');
});

it.each([
  [['pending'], { allowed: false, each: [true, false] }],
  [['unknown'], { allowed: false, each: [false, true] }],
  [['pending', 'unknown', 'approved'], { allowed: true, each: [true, true] }],
  [[], { allowed: false, each: [false, false] }],
])('takes %j for enough', async (allow, expected) => {
  await submit(npm('waiting'));

  const { allowed, packages } = await check([npm('waiting'), npm('never')], { allow });

  expect({ allowed, each: packages.map((one) => one.allowed) }).toEqual(expected);
});

it('never takes what was rejected for enough', () => {
  const { success } = CheckRequest.safeParse({ packages: [npm('a')], allow: ['rejected'] });

  expect(success).toBe(false);
});

it.each([
  ['pkg:golang/example.com/mod@1.0.0', 'no package URL of the types'],
  ['lodash@4.17.21', 'no package URL of the types'],
  ['pkg:npm/lodash', 'names no version'],
  ['pkg:npm/lodash@latest', 'names no version'],
  [{ ecosystem: 'npm', name: 'Not A Name', version: '1.0.0' }, 'The name must be an npm name'],
  [{ ecosystem: 'npm', name: 'lodash', version: '^4.0.0' }, 'The version must be a SemVer version'],
] as const)('says what is wrong with %j, and tells of the others', async (wrong, message) => {
  await approve(npm('fine'));

  const { packages } = await check([wrong, npm('fine')]);

  expect(packages[0]).toMatchObject({
    ...{ ecosystem: null, name: null, version: null, status: 'unknown', allowed: false },
    reasons: [{ code: 'not_a_version', message: expect.stringContaining(message) }],
  });
  expect(packages[0]).not.toHaveProperty('nearest_approved');
  expect(packages[1]?.status).toBe('approved');
});

it('asks about the digest that an image is pulled by, and not about the tag beside it', async () => {
  const digest = `sha256:${'b'.repeat(64)}`;
  await approve({ ecosystem: 'docker', name: 'nginx', version: '1.27.3' });
  const toUrl = (version: string) => `pkg:docker/nginx@${encodeURIComponent(version)}?tag=1.27.3`;

  const { packages } = await check([toUrl(digest), 'pkg:docker/nginx@1.27.3', toUrl('sha256:b')]);

  expect(packages.map(({ version, status }) => [version, status])).toEqual([
    [digest, 'unknown'],
    ['1.27.3', 'approved'],
    [null, 'unknown'],
  ]);
});

it('says of a package URL that is too long that it is none', async () => {
  const { packages } = await check([`pkg:npm/${'x'.repeat(3000)}@1.0.0`, npm('other')]);

  expect(packages[0]?.reasons[0]?.code).toBe('not_a_version');
});

describe('an approval', () => {
  it('is none any more from the moment on when it runs out, though nothing was written', async () => {
    await approve(npm('lodash'), { expires_in_days: 30 });

    const before = (await check([npm('lodash')])).packages[0];
    const after = (await check([npm('lodash')], { now: inDays(31) })).packages[0];

    expect(before).toMatchObject({ status: 'approved', allowed: true, reasons: [] });
    expect(before?.expires_at).toMatch(/^20/);
    expect(after).toMatchObject({ status: 'pending', allowed: false, expires_at: null });
    expect(after?.reasons[0]).toMatchObject({ code: 'approval_expired' });
    await work(inDays(31));
    const swept = (await check([npm('lodash')], { now: inDays(31) })).packages[0];
    expect(swept?.reasons[0]).toMatchObject({ code: 'approval_expired' });
  });

  it('stands, and says so, where scans failed since', async () => {
    await approve(npm('lodash'));
    await scanItself('critical', npm('lodash'));

    const [lodash] = (await check([npm('lodash')])).packages;

    expect(lodash).toMatchObject({ status: 'approved', allowed: true });
    expect(lodash?.reasons.map(({ code }) => code)).toEqual(['scan_failed']);
  });
});

it('says of what is pending all that is known against it', async () => {
  await submit(npm('shady'));
  await learn({ deprecated: 'use another', install_scripts: ['postinstall'] }, npm('shady'));

  const [shady] = (await check([npm('shady')])).packages;

  expect(shady?.reasons.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['awaiting_review', 'deprecated', 'install_scripts']),
  );
});

describe('the nearest approved version', () => {
  it('is looked for among those that are approved now', async () => {
    await approve(npm('lodash', '4.17.21'));
    await approve(npm('lodash', '5.0.0'));
    await approve(npm('lodash', '4.17.20'), { expires_in_days: 1 });
    await submit(npm('lodash', '4.17.19'));
    // Another name of the same partition.
    await approve(npm('Lodash', '4.17.18'));

    const now = inDays(2);
    const { packages } = await check(
      [npm('lodash', '4.17.15'), npm('lodash', '9.0.0'), npm('lonely'), npm('lodash', '5.0.0')],
      { now },
    );

    expect(packages.map(({ nearest_approved }) => nearest_approved)).toEqual([
      '4.17.21',
      '5.0.0',
      null,
      undefined,
    ]);
  });

  it('is looked up for what was rejected before what nobody submitted', async () => {
    await approve(npm('lodash', '4.17.21'));
    await submit(npm('lodash', '4.17.20'));
    await decide(npm('lodash', '4.17.20'), 'rejected');
    const others = Array.from({ length: 20 }, (_, at) => npm(`other-${at}`));

    const { packages } = await check([...others, npm('lodash', '4.17.20')]);

    expect(packages.at(-1)?.nearest_approved).toBe('4.17.21');
    expect(packages[19]).not.toHaveProperty('nearest_approved');
  });

  it('is looked up for the first 20 that are not allowed, once for each name', async () => {
    await approve(npm('lodash', '4.17.21'));
    const others = Array.from({ length: 15 }, (_, at) => npm(`other-${at}`));
    const versions = Array.from({ length: 10 }, (_, at) => npm('lodash', `4.0.${at}`));

    const { result, calls } = await measure(() => check([...versions, ...others]));

    const withNearest = result.packages.filter(
      ({ nearest_approved }) => nearest_approved !== undefined,
    );
    expect(withNearest).toHaveLength(20);
    expect(withNearest[0]?.nearest_approved).toBe('4.17.21');
    // The heads, the freeze, and eleven names.
    expect(calls).toBe(13);
  });
});

const sri = (byte: string): string => `sha512-${btoa(byte.repeat(64))}`;
const hexOf = (digits: string, length: number): string => digits.repeat(length);

const npmManifest = (dist: object) => ({ kind: 'npm', version: { dist } }) as const;
const pypiManifest = (...files: readonly (readonly [filename: string, sha256: string])[]) =>
  ({
    kind: 'pypi',
    files: files.map(([filename, sha256]) => ({
      filename,
      url: `https://files.example.com/${filename}`,
      hashes: { sha256 },
    })),
  }) as const;

describe('the content', () => {
  const flask = { ecosystem: 'pypi', name: 'flask', version: '3.0.0' } as const;
  const jar = { ecosystem: 'maven', name: 'g:a', version: '1.0' } as const;
  const unlistedJar = { ecosystem: 'maven', name: 'g:unlisted', version: '1.0' } as const;
  const sha256 = (digits: string): string => `sha256:${hexOf(digits, 32)}`;
  const sha1 = (digits: string): string => hexOf(digits, 20);

  it.each([
    [npm('lodash'), [sri('a')], 'same'],
    [npm('lodash'), [sri('a'), `sha1:${sha1('0A')}`], 'same'],
    [npm('lodash'), [sri('b')], 'other'],
    [npm('lodash'), [sri('a'), sri('b')], 'other'],
    [npm('lodash'), [sri('a'), `sha1:${sha1('0b')}`], 'other'],
    // A client goes by the strongest hash, of which nothing is known here.
    [npm('old'), [sri('a'), `sha1:${sha1('0a')}`], 'unknown'],
    [npm('old'), [`sha1:${sha1('0a')}`], 'same'],
    [flask, [sha256('0a'), sha256('0b')], 'same'],
    [flask, [sha256('0a'), sha256('0c')], 'other'],
    [flask, [`md5:${hexOf('0a', 16)}`], 'unknown'],
    [jar, [`sha1:${sha1('0a')}`], 'same'],
    [jar, [`SHA-1:${sha1('0b')}`], 'other'],
    // The repository lists no files, so that nobody knows the hash of a jar with a classifier.
    [unlistedJar, [`sha1:${sha1('0a')}`], 'same'],
    [unlistedJar, [`sha1:${sha1('0a')}`, `sha1:${sha1('0b')}`], 'unknown'],
  ])('of %j with %j is %s', async (id, hashes, content) => {
    await approveWith(npm('lodash'), npmManifest({ integrity: `${sri('a')}`, shasum: sha1('0a') }));
    await approveWith(npm('old'), npmManifest({ shasum: sha1('0a') }));
    await approveWith(
      flask,
      pypiManifest(['flask-3.0.0.tar.gz', hexOf('0a', 32)], ['flask.whl', hexOf('0b', 32)]),
    );
    const files = [{ name: 'a-1.0.jar', checksums: { sha1: sha1('0a') } }];
    await approveWith(jar, { kind: 'maven', files, parents: [], boms: [] });
    await approveWith(unlistedJar, {
      ...{ kind: 'maven', files, parents: [], boms: [] },
      unlisted: true,
    });

    const [one] = (await check([{ ...id, hashes }], { allow: ['pending', 'unknown'] })).packages;

    const isOther = content === 'other';
    expect(one).toMatchObject({ status: 'approved', content, allowed: !isOther });
    expect(one?.reasons.some(({ code }) => code === 'other_content')).toBe(isOther);
  });

  it('is that of the approval, whatever the origin says since', async () => {
    await approveWith(npm('lodash'), npmManifest({ integrity: sri('a') }));
    await learnContent(npm('lodash'), npmManifest({ integrity: sri('b') }));

    const { packages } = await check([
      { ...npm('lodash'), hashes: [sri('a')] },
      { ...npm('lodash'), hashes: [sri('b')] },
    ]);

    expect(packages.map(({ content, allowed }) => [content, allowed])).toEqual([
      ['same', true],
      ['other', false],
    ]);
  });

  it('of what waits is what its origin says, and never allowed where it is other', async () => {
    await submit(npm('waiting'));
    await learnContent(npm('waiting'), npmManifest({ integrity: sri('a') }));

    const { packages } = await check(
      [
        { ...npm('waiting'), hashes: [sri('a')] },
        { ...npm('waiting'), hashes: [sri('b')] },
      ],
      { allow: ['pending'] },
    );

    expect(packages.map(({ content, allowed }) => [content, allowed])).toEqual([
      ['same', true],
      ['other', false],
    ]);
  });

  it('is unknown where nothing is known of files, and not told where no hash was sent', async () => {
    await approve(npm('notEvaluated'));

    const { packages } = await check([
      { ...npm('notEvaluated'), hashes: [sri('a')] },
      npm('notEvaluated'),
    ]);

    expect(packages[0]).toMatchObject({ allowed: true, content: 'unknown' });
    expect(packages[1]).not.toHaveProperty('content');
  });

  it('tells at which hosts the files of Python lie', async () => {
    await approveWith(flask, pypiManifest(['flask-3.0.0.tar.gz', hexOf('0a', 32)]));

    const before = await check([flask]);
    const after = await check([{ ...flask, hashes: [sha256('0a')] }]);

    expect(before.origins).toEqual(origins);
    expect(after.origins.pypi).toEqual({
      index_hosts: ['index.example.com'],
      file_hosts: ['files.example.com'],
    });
  });

  it.each([
    [{ hashes: ['sha512-short'] }, 'must be a hash'],
    [{ hashes: Array.from({ length: 501 }, () => sri('a')) }, 'at most 500 hashes'],
  ])('is refused where it is none: %#', (more, message) => {
    const { error } = CheckRequest.safeParse({ packages: [{ ...npm('a'), ...more }] });

    expect(error?.message).toContain(message);
  });

  it('may be asked of 500 versions in one request', () => {
    const packages = Array.from({ length: 501 }, (_, at) => ({
      ...npm(`package-${at}`),
      hashes: [sri('a')],
    }));

    expect(CheckRequest.safeParse({ packages }).success).toBe(false);
    expect(CheckRequest.safeParse({ packages: packages.slice(1) }).success).toBe(true);
  });
});

it.each([
  ['pkg:npm/lodash@1.0.0?vcs_url=git%2Bhttps://git.example.com/lodash.git', 'unpinned'],
  ['pkg:npm/lodash@1.0.0?download_url=https://files.example.com/evil.tgz', 'unpinned'],
  ['pkg:npm/lodash@1.0.0?Download_URL=https://files.example.com/evil.tgz', 'unpinned'],
  ['pkg:npm/lodash@1.0.0?VCS_URL=git%2Bhttps://git.example.com/lodash.git', 'unpinned'],
  [
    'pkg:npm/lodash@1.0.0?download_url=https://evil.example.com/lodash/-/lodash-1.0.0.tgz',
    'other_source',
  ],
  ['pkg:npm/lodash@1.0.0?repository_url=https://evil.example.com/npm', 'other_source'],
  ['pkg:npm/lodash@1.0.0?repository_url=http://mirror.example.com', 'other_source'],
  ['pkg:pypi/flask@3.0.0?download_url=https://index.example.com/flask.whl', 'unpinned'],
  ['pkg:pypi/flask@3.0.0?repository_url=https://evil.example.com/simple', 'other_source'],
  ['pkg:maven/g/a@1.0?repository_url=https://evil.example.com', 'other_source'],
])('never allows %s, which comes from elsewhere', async (purl, code) => {
  await approve(npm('lodash'));
  await approve({ ecosystem: 'pypi', name: 'flask', version: '3.0.0' });
  await approve({ ecosystem: 'maven', name: 'g:a', version: '1.0' });

  const [one] = (await check([purl], { allow: ['pending', 'unknown'] })).packages;

  expect(one).toMatchObject({ allowed: false, reasons: [{ code }] });
});

it.each([
  'pkg:npm/lodash@1.0.0?repository_url=https://mirror.example.com/',
  'pkg:npm/lodash@1.0.0?download_url=https://mirror.example.com/lodash/-/lodash-1.0.0.tgz',
])('allows %s, which comes from the origin', async (purl) => {
  await approve(npm('lodash'));

  expect((await check([purl])).allowed).toBe(true);
});

it('costs less than 3 units for each version of many files, of which some are not allowed', async () => {
  const ids = Array.from({ length: 100 }, (_, at) => ({
    ...{ ecosystem: 'pypi' as const, name: `package-${at}`, version: '1.0' },
  }));
  const toHash = (at: number): string => at.toString(16).padStart(4, '0').repeat(16);
  const files = Array.from({ length: 450 }, (_, at) => [`f-1.0-${at}.whl`, toHash(at)] as const);
  for (const id of ids) await approveWith(id, pypiManifest(...files));
  const sent = ids.map((id, at) => ({
    ...id,
    hashes: [`sha256:${toHash(at % 5 === 0 ? 9999 : at % 450)}`],
  }));

  const { result, readUnits, writeUnits } = await measure(() => check(sent));

  expect(result.packages.filter(({ content }) => content === 'other')).toHaveLength(20);
  expect(result.packages.filter(({ content }) => content === 'same')).toHaveLength(80);
  expect(readUnits).toBeLessThan(300);
  expect(writeUnits).toBe(0);
});

it('costs half a unit for each version, in as few calls as that takes, and one for its license', async () => {
  const ids = Array.from({ length: 250 }, (_, at) => npm(`package-${at}`));
  for (const id of ids) {
    await submit(id, 'MIT');
    await decide(id, 'approved');
  }

  const { result, readUnits, calls, roundTrips, writeUnits } = await measure(() => check(ids));

  expect(result.counts.approved).toBe(250);
  // Three batches and the freeze at once, then what is held on the one license.
  expect({ readUnits, calls, roundTrips, writeUnits }).toEqual({
    readUnits: 127,
    calls: 5,
    roundTrips: 2,
    writeUnits: 0,
  });
});

describe('a freeze', () => {
  const before = '2026-01-01T00:00:00.000Z';
  const freeze = {
    ...{ before, since: '2026-01-02T00:00:00.000Z', reason: 'Malware in npm' },
    ...{ by: null, token_label: null },
  };
  const message =
    'The registry has been frozen since 2026-01-02T00:00:00Z and refuses versions published after 2026-01-01T00:00:00Z or at an unknown time: Malware in npm.';
  const published = async (name: string, published_at: string | null, version = '1.0.0') => {
    await submit(npm(name, version));
    await learn({ published_at }, npm(name, version));
    return npm(name, version);
  };

  it.each([[[]], [['pending', 'unknown']]])(
    'refuses what was published after it or at an unknown time, and allows %j else',
    async (allow) => {
      const [old, fresh] = [
        await published('old', before),
        await published('fresh', '2026-01-01T00:00:00.001Z'),
      ];
      const undated = await published('undated', null);
      const waiting = await published('waiting', before);
      for (const id of [old, fresh, undated]) await decide(id, 'approved', { reason: 'a test' });
      await putAlone(putFreeze(freeze));

      const { packages } = await check([old, fresh, undated, waiting, npm('nobody')], { allow });

      const isAllowed = allow.length > 0;
      const codes = packages.map(({ reasons }) => reasons.map(({ code }) => code));
      expect(packages.map(({ allowed }) => allowed)).toEqual([
        ...[true, false, false, isAllowed, false],
      ]);
      expect(codes.map((of) => of.includes('frozen'))).toEqual([false, true, true, false, true]);
      expect(packages[1]?.reasons[0]).toEqual({ code: 'frozen', message });
    },
  );

  it('names no frozen version as the nearest approved one', async () => {
    await decide(await published('lib', before, '1.0.0'), 'approved', { reason: 'a test' });
    await decide(await published('lib', null, '1.1.0'), 'approved', { reason: 'a test' });
    await putAlone(putFreeze(freeze));

    const { packages } = await check([npm('lib', '1.1.1'), npm('lib', '1.1.0')]);

    expect(packages.map(({ nearest_approved }) => nearest_approved)).toEqual(['1.0.0', '1.0.0']);
  });

  it('compares the time of the approval of an image', async () => {
    const image = { ecosystem: 'docker', name: 'nginx', version: '1.0' } as const;
    await approve(image);
    await putAlone(putFreeze({ ...freeze, before: new Date(Date.now() + 60_000).toISOString() }));
    const earlier = await check([image]);
    await putAlone(putFreeze(freeze));

    expect([earlier.allowed, (await check([image])).allowed]).toEqual([true, false]);
  });

  it('does not refuse own packages, which need no review', async () => {
    await putAlone(putFreeze(freeze));

    const own = [{ ecosystem: 'npm', pattern: '@acme/*' }] as const;
    expect((await check([npm('@acme/shop')], { own })).allowed).toBe(true);
  });
});

describe('one of the own packages', () => {
  const own = [{ ecosystem: 'npm', pattern: '@acme/*' }] as const;
  const shop = npm('@acme/shop');
  const find = async (one: Sent[number]) => (await check([one], { own })).packages[0];

  it('is allowed without a review', async () => {
    expect(await find(shop)).toMatchObject({ allowed: true, reasons: [{ code: 'own_package' }] });
  });

  it.each([
    'repository_url=https://mirror.example.com',
    'repository_url=https://packages.acme.example',
    'download_url=https://mirror.example.com/@acme/shop/-/shop-1.0.0.tgz',
  ])('is refused with an address, whose host the registry cannot judge: %s', async (source) => {
    const checked = await find(`pkg:npm/%40acme/shop@1.0.0?${source}`);

    expect(checked).toMatchObject({ allowed: false });
  });

  it('is refused if its status is not readable', async () => {
    await putAlone(putItem(reviewStatesTable, { ...toReviewStateKey(shop) } as never));

    expect(await find(shop)).toMatchObject({
      allowed: false,
      reasons: [{ code: 'not_submitted' }],
    });
  });

  it('has its status if it was decided before', async () => {
    await submit(shop);
    await decide(shop, 'rejected', { reason: 'Steals tokens' });

    expect(await find(shop)).toMatchObject({ allowed: false, status: 'rejected' });
  });
});
