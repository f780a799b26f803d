import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/package-id.ts';
import { checkPackages } from '../../../shared/review/check-packages.ts';
import { decidePackage } from '../../../shared/review/decide-package.ts';
import { CheckRequest } from '../../../shared/schemas/check.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { npm, work } from './accepted-registry.ts';
import { inDays, learn, scanItself, submit } from './policy-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

type Sent = readonly (PackageId | string)[];

const check = (packages: Sent, some: { allow?: string[]; now?: Date } = {}) => {
  const { allow, now = new Date() } = some;
  return checkPackages(CheckRequest.parse({ packages, ...(allow && { allow }) }), {}, now);
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
  expect(packages[0]?.reasons[0]?.message).toBe('It is rejected: Steals tokens');
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

    const told = result.packages.filter(({ nearest_approved }) => nearest_approved !== undefined);
    expect(told).toHaveLength(20);
    expect(told[0]?.nearest_approved).toBe('4.17.21');
    // The heads, and eleven names.
    expect(calls).toBe(12);
  });
});

it('costs a unit for each version, in as few calls as that takes, and one for its license', async () => {
  const ids = Array.from({ length: 250 }, (_, at) => npm(`package-${at}`));
  for (const id of ids) {
    await submit(id, 'MIT');
    await decide(id, 'approved');
  }

  const { result, readUnits, calls, roundTrips, writeUnits } = await measure(() => check(ids));

  expect(result.counts.approved).toBe(250);
  // Three batches at once, then what is held on the one license.
  expect({ readUnits, calls, roundTrips, writeUnits }).toEqual({
    readUnits: 251,
    calls: 4,
    roundTrips: 2,
    writeUnits: 0,
  });
});
