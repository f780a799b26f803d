import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import licensePolicy from '../../../infra/license-policy.json' with { type: 'json' };
import { LicensePolicy } from '../../../shared/api/schemas/license-policy.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { ItemKey } from '../../../shared/storage/dynamodb/table.ts';
import { toItemKey } from '../../../shared/storage/packages/version-keys.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readReviewState, toReviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { loadLicenses } from '../../../shared/use-cases/licensing/load-licenses.ts';
import { normalizeLicenses } from '../../../shared/use-cases/licensing/normalize-licenses.ts';
import { toPackageAnswer } from '../../../shared/use-cases/review/answer-package.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { judgeVersion } from '../../../shared/use-cases/review/judge-version.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { nothing, runCheck } from '../../storage/integrity/reviewed-registry.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { declares, learn } from '../policy/policy-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await loadLicenses(LicensePolicy.parse(licensePolicy), writeContext().deadline);
});
afterEach(() => engine.close());

const toId = (name: string): PackageId => ({ ecosystem: 'npm', name, version: '1.0.0' });

const submit = (name: string, license: string) =>
  submitPackage({ ...toId(name), license }, writeContext());

const declare = (name: string, text: string) => learn(declares(text), toId(name));

const minuteMs = 60_000;

/** Runs the sweep some minutes from now, as a release with these rules. */
const sweep = (rules: string, { minutes = 0, remaining = [10 * minuteMs] } = {}) => {
  const left = [...remaining];
  const deadline = { remainingMs: () => (left.length > 1 ? left.shift() : left[0]) ?? 0 };
  return normalizeLicenses({ now: new Date(Date.now() + minutes * minuteMs), deadline }, rules);
};

const setNormalization = (TableName: string, Key: ItemKey, value: string) =>
  dynamodb.send(
    new UpdateCommand({
      ...{ TableName, Key },
      UpdateExpression: 'SET normalization = :n',
      ExpressionAttributeValues: { ':n': value },
    }),
  );

/** Gives a version the normalization of a release that knew less names. */
const forget = async (name: string, license: string) => {
  const unknown = JSON.stringify({ license, isUnknown: true });
  await setNormalization('packages', toItemKey(toId(name)), unknown);
  await setNormalization('reviews', toReviewStateKey(toId(name)), unknown);
};

const readLicense = async (name: string) => {
  const version = await findVersion(toId(name));
  if (!version) throw new Error(`${name} is missing`);
  const { license_normalized } = toPackageAnswer(version);
  const { evidence } = await judgeVersion(version, {}, new Date());
  return { license_normalized, ...evidence.license.effective };
};

describe('the license of a submission', () => {
  it.each([
    ['MIT', undefined],
    ['mit', undefined],
    ['GNU AGPL v3', expect.stringContaining('AGPL-3.0-only')],
    ['MIT OR', null],
  ])(
    '%s is stored with its normalization, on the version and for its review',
    async (license, stored) => {
      await submit('a', license);

      const [version, head] = await Promise.all([
        findVersion(toId('a')),
        readReviewState(toId('a')),
      ]);
      expect([version?.normalization, head.normalization]).toEqual([stored, stored]);
      expect(await runCheck(false)).toMatchObject({ found: nothing });
    },
  );

  it('keeps its normalization in decisions, and the declared license has its own', async () => {
    await submit('a', 'GNU AGPL v3');
    await declare('a', 'The Apache Software License, Version 2.0');
    await decidePackage(toId('a'), { to: 'rejected', by: 'ana', reason: 'no' }, writeContext());

    const head = await readReviewState(toId('a'));
    expect(head.normalization).toContain('AGPL-3.0-only');
    expect(head.upstream_normalization).toContain('Apache-2.0');
    await declare('a', 'MIT');
    expect((await readReviewState(toId('a'))).upstream_normalization).toBeUndefined();
    expect(await readLicense('a')).toMatchObject({ source: 'submitted', status: 'rejected' });
    expect(await runCheck(false)).toMatchObject({ found: nothing });
  });
});

describe('a change of the rules', () => {
  it('normalizes the licenses of all versions again, and requests their evaluation', async () => {
    await submit('a', 'GNU AGPL v3');
    await submit('b', 'MIT');
    await forget('a', 'GNU AGPL v3');
    const before = await readLicense('a');
    const { evidence_revision } = await readReviewState(toId('a'));

    await sweep('new');

    expect(before).toMatchObject({ license_normalized: null, status: 'unreviewed' });
    expect(await readLicense('a')).toMatchObject({
      ...{ license_normalized: 'AGPL-3.0-only', normalized: 'AGPL-3.0-only', status: 'rejected' },
    });
    expect((await readReviewState(toId('a'))).evidence_revision).toBe(evidence_revision + 1);
    expect((await readReviewState(toId('b'))).evidence_revision).toBe(0);
    expect(await runCheck(false)).toMatchObject({ found: nothing });
  });

  it('costs one read an hour without a change, and few units for each version with one', async () => {
    for (let at = 0; at < 20; at += 1) await submit(`p${at}`, 'MIT');

    const first = await measure(() => sweep('new'));
    const later = await measure(() => sweep('new'));

    expect(first.readUnits).toBeLessThanOrEqual(30);
    expect(first.writeUnits).toBe(1);
    expect([later.calls, later.readUnits, later.writeUnits]).toEqual([1, 1, 0]);
  });

  it('continues where it had no more time', async () => {
    for (let at = 0; at < 110; at += 1) await submit(`p${at}`, 'GNU AGPL v3');
    for (let at = 0; at < 110; at += 1) await forget(`p${at}`, 'GNU AGPL v3');
    const countNormalized = async () => {
      const all = Array.from({ length: 110 }, (_, at) => findVersion(toId(`p${at}`)));
      const found = (await Promise.all(all)).filter((one) =>
        one?.normalization?.includes('meaning'),
      );
      return found.length;
    };

    await sweep('new', { remaining: [10 * minuteMs, 20_000] });
    const partly = await countNormalized();
    await sweep('new');
    await sweep('new');

    expect(partly).toBeLessThan(110);
    expect(await countNormalized()).toBe(110);
  });

  it('normalizes once more what a function of the release before wrote behind it', async () => {
    await submit('a', 'GNU AGPL v3');
    await sweep('new');
    await forget('a', 'GNU AGPL v3');

    await sweep('new', { minutes: 10 });
    const early = await readLicense('a');
    await sweep('new', { minutes: 31 });

    expect(early.license_normalized).toBeNull();
    expect(await readLicense('a')).toMatchObject({ license_normalized: 'AGPL-3.0-only' });
  });
});
