import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTableName } from '../../../shared/api/settings/env.ts';
import type { Facts } from '../../../shared/domain/facts/facts.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { unpinnedReason } from '../../../shared/domain/review/attention.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { listRecords } from '../../../shared/storage/decisions/records.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { toItemKey } from '../../../shared/storage/packages/version-keys.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { findPack, readPack } from '../../../shared/storage/packs/find-pack.ts';
import { updatePack } from '../../../shared/storage/packs/update-pack.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { readReviewState, toReviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { recallVersion } from '../../../shared/use-cases/recalls/recall-version.ts';
import { releaseVersion } from '../../../shared/use-cases/recalls/release-version.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { enoughTime, npm } from '../../use-cases/vulnerability-index/accepted-registry.ts';
import { put, readAll, runCheck } from './reviewed-registry.ts';

/** The check of approvals without pins: what a repair pins, and what it leaves to a reviewer. */

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await submitPackage({ ...id, license: 'MIT' }, writeContext());
});
afterEach(() => engine.close());

const id = npm('left-pad');

/** Saves what upstream says of the version: the content of its archive, and a description. */
const learn = (content: string, facts: Partial<Facts> = {}) =>
  saveFacts(
    id,
    {
      facts: { ...noFacts, found: 'yes', reason: null, license_declaration: 'none', ...facts },
      manifest: {
        kind: 'npm',
        version: { name: id.name, version: id.version, dist: { integrity: `sha512-${content}` } },
      },
    },
    { now: new Date(), policy: defaultScanPolicy, everyHours: 168, deadline: enoughTime },
  );

const decide = (to: 'approved' | 'rejected', some = {}) =>
  decidePackage(id, { to, by: 'ana', reason: 'as read', override: true, ...some }, writeContext());

const recallContext = () => {
  const { now, deadline, catalogue } = writeContext();
  return { now, deadline, catalogue, scanPolicy: defaultScanPolicy };
};

const readDigest = async () => (await readReviewState(id)).facts?.digest;
const readPin = async (): Promise<string | null> => {
  const [version, state] = await Promise.all([findVersion(id), readReviewState(id)]);
  expect(state.pinned).toBe(version?.pinned ?? null);
  return state.pinned;
};

const update = (table: 'packages' | 'reviews', Key: Record<string, string>, expression: string) =>
  dynamodb.send(
    new UpdateCommand({
      TableName: readTableName(table),
      Key,
      UpdateExpression: expression,
      ...(expression.includes(':none') && { ExpressionAttributeValues: { ':none': null } }),
    }),
  );

/** Leaves the version as releases without pins stored it. */
const removePin = async (): Promise<void> => {
  await update('packages', toItemKey(id), 'REMOVE pinned');
  await update('reviews', toReviewStateKey(id), 'SET pinned = :none');
};

/** Leaves the records as releases without pins stored them. */
const removeRecordedPins = async (): Promise<void> => {
  for (const { pinned: _, ...record } of await readAll('decisions')) await put('decisions', record);
};

const findKinds = async (repair = false) => {
  const { found, examples, unjudged } = await runCheck(repair);
  expect(unjudged).toBe(0);
  const { unpinned_approval, unconfirmed_files, ...others } = found;
  // Nothing else is wrong, also not what follows from a pin.
  expect(Object.entries(others).filter(([, count]) => count > 0)).toEqual([]);
  return { unpinned_approval, unconfirmed_files, examples };
};

/** Lists the versions whose files the gate serves. */
const listServed = async () => {
  await updatePack(id, { now: new Date() });
  const pack = await findPack(id);
  const versions = pack && (await readPack(pack, new Date()));
  return versions?.filter(({ pinned }) => pinned !== null).map(({ version }) => version);
};

const listReasons = async () =>
  (await listAttention({ limit: 10 }, new Date())).attention.flatMap(({ reasons }) => reasons);

const unpinned = { unpinned_approval: 1, unconfirmed_files: 0 };
const unconfirmed = { unpinned_approval: 0, unconfirmed_files: 1 };
const neither = { unpinned_approval: 0, unconfirmed_files: 0 };

describe('an approval without a pin, whose record has what it was based on', () => {
  it.each([
    ['by its digest', async () => undefined],
    ['by its evidence alone, as earlier releases wrote it', removeRecordedPins],
  ])('is reported, and pinned by a repair: %s', async (_, age) => {
    await learn('one');
    await decide('approved');
    const pinned = await readPin();
    await age();
    await removePin();
    expect(await listServed()).toEqual([]);

    expect(await findKinds()).toMatchObject(unpinned);
    expect(await readPin()).toBeNull();
    expect(await findKinds(true)).toMatchObject(unpinned);

    expect(await readPin()).toBe(pinned);
    expect(await listServed()).toEqual([id.version]);
    expect(await listReasons()).toEqual([]);
    expect(await findKinds()).toMatchObject(neither);
  });

  it('is pinned to the content of the decision, also where upstream has another one by now', async () => {
    await learn('one');
    await decide('approved');
    const pinned = await readPin();
    await removePin();
    await learn('two');
    expect(await listReasons()).toEqual(['content_changed']);

    expect(await findKinds(true)).toMatchObject(unpinned);

    expect(await readPin()).toBe(pinned);
    expect(await readDigest()).not.toBe(pinned);
    expect(await listReasons()).toEqual(['content_changed']);
  });

  it('is pinned after a recall that ended', async () => {
    await learn('one');
    await decide('approved');
    const pinned = await readPin();
    await removePin();
    const record = 'MAL-2026-1';
    await recallVersion(id, { record, summary: 'bad', signalAt: '' }, recallContext());
    await releaseVersion(id, { record, reason: 'withdrawn' }, recallContext());
    expect(await readPin()).toBeNull();

    expect(await findKinds(true)).toMatchObject(unpinned);

    expect(await readPin()).toBe(pinned);
  });
});

describe('an approval that no record shows the files of', () => {
  const expectReview = async (): Promise<void> => {
    const first = await findKinds();
    expect(first).toMatchObject(unconfirmed);
    expect(first.examples).toEqual([
      'unconfirmed_files: npm left-pad 1.0.0: review its files, then: registry approve npm:left-pad@1.0.0 --keep',
    ]);
    expect(await findKinds(true)).toMatchObject(unconfirmed);

    expect(await readPin()).toBeNull();
    expect(await listServed()).toEqual([]);
    expect(await listReasons()).toEqual(['content_changed']);
    const [record] = await listRecords(id, { count: 1 });
    expect(record).toMatchObject({ type: 'package.attention', reason: unpinnedReason });
    expect((await readReviewState(id)).at).toBe(record?.at);
    expect(await findKinds()).toMatchObject(neither);
    expect(await findKinds(true)).toMatchObject(neither);
  };

  it('waits for a reviewer, who pins the present files by keep', async () => {
    await decide('approved');
    await learn('one');
    await removePin();

    await expectReview();
    await decide('approved', { keep: true });

    expect(await readPin()).toBe(await readDigest());
    expect(await listReasons()).toEqual([]);
    expect(await findKinds()).toMatchObject(neither);
  });

  it('waits for a reviewer where earlier releases renewed it', async () => {
    await learn('one');
    await decide('approved');
    await learn('two');
    await decide('approved', { expires_at: new Date(Date.now() + 1e9).toISOString() });
    await removeRecordedPins();
    await removePin();
    const { facts } = await readReviewState(id);
    const { content_changed: _, ...seen } = { ...facts };
    const state = (await readAll('reviews')).find(
      ({ v, k }) => v === toVersionKey(id) && k === 'head',
    );
    await put('reviews', { ...state, facts: seen });

    await expectReview();
  });

  it('waits for a reviewer where its metadata is lost', async () => {
    await learn('one');
    await decide('approved');
    const Key = { v: toVersionKey(id), k: `facts#${await readPin()}` };
    await removePin();
    await dynamodb.send(new DeleteCommand({ TableName: readTableName('reviews'), Key }));

    await expectReview();
  });

  it('waits for a reviewer where a restore undid a rejection', async () => {
    await learn('one');
    await decide('approved');
    await removePin();
    const before = await findVersion(id);
    await decide('rejected');
    const { name_key, version_key } = { ...toItemKey(id) } as Record<string, string>;
    const restored: StoredItem = { ...before, name_key, version_key };
    await dynamodb.send(new PutCommand({ TableName: readTableName('packages'), Item: restored }));

    const { found, unjudged } = await runCheck(true);

    expect({ ...found, unjudged }).toMatchObject({ ...unconfirmed, unjudged: 0 });
    expect(await readPin()).toBeNull();
    expect(await listReasons()).toEqual(['content_changed']);
    expect(await findKinds(true)).toMatchObject(neither);
    expect(await readPin()).toBeNull();
  });
});

describe('an approval that needs no pin', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['without metadata', async () => undefined],
    ['of what its origin does not answer for', () => learn('one', { found: 'unknown' })],
    ['of what its origin does not have', () => learn('one', { found: 'no' })],
    [
      'of what its origin had later only, which a reviewer sees',
      async () => {
        await learn('one', { found: 'no' });
        await learn('one');
      },
    ],
  ])('is right: %s', async (_, collect) => {
    await decide('approved');
    await collect();

    expect(await findKinds(true)).toMatchObject(neither);
    expect(await readPin()).toBeNull();
  });
});
