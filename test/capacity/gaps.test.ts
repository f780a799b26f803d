import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTableName } from '../../shared/api/settings/env.ts';
import { parseSearchTerm } from '../../shared/domain/packages/search.ts';
import { createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import { oldestFirst } from '../../shared/storage/catalogue/order.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { readNewestSequenceNumber } from '../../shared/storage/packages/submission-counter.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import { runCheck } from '../storage/integrity/reviewed-registry.ts';
import { measure, type TestEngine } from '../support/engine.ts';
import { type RealisticPackage, realisticPackages } from '../support/realistic-packages.ts';
import { openRegistry } from './loaded-registry.ts';
import { writeContext } from './write-context.ts';

/** The cost of a search depends on the stored versions, not on the highest sequence number. */

const size = 200;
const atOnce = 10;
const packages = [...realisticPackages(size)];
const next = { ecosystem: 'npm', name: 'plugin-of-tomorrow', version: '1.0.0' } as const;

let engine: TestEngine;
beforeEach(async () => {
  engine = await openRegistry(packages);
});
afterEach(() => engine.close());

const page = { order: oldestFirst, limit: 100, offset: 0 };

/** Searches with a cold function instance. */
const search = () =>
  measure(() => createCatalogue(defaultLayout)({ ...page, search: parseSearchTerm('plugin') }));

const costOf = async () => {
  const { calls, readUnits, roundTrips } = await search();
  return { calls, readUnits, roundTrips };
};

const setSubmissionCounter = (count: number) =>
  dynamodb.send(
    new PutCommand({
      TableName: readTableName('packages'),
      Item: { name_key: '#sequence', version_key: '#sequence', count },
    }),
  );

it('takes no sequence number for 2,000 refused duplicates, and searches at the same cost', async () => {
  const before = await costOf();

  const submitAgain = ({ submission }: RealisticPackage) =>
    expect(submitPackage(submission, writeContext())).rejects.toMatchObject({
      code: 'package_exists',
    });
  for (let round = 0; round < 2000 / size; round += 1) {
    // In groups: on a busy machine, the last of 200 parallel requests would exceed the storage timeout.
    await runInParallel(packages, atOnce, submitAgain);
  }

  expect(await readNewestSequenceNumber()).toBe(size);
  expect(await costOf()).toEqual(before);
});

it('searches at the same cost after 170 million unused sequence numbers', async () => {
  const before = await costOf();

  await setSubmissionCounter(170_000_000);

  expect(await costOf()).toEqual(before);
});

it('searches in one more shard for a version after the gap', async () => {
  const before = await costOf();
  await setSubmissionCounter(170_000_000);

  await submitPackage(next, writeContext());

  const { result } = await search();
  expect(result.packages.map(({ name }) => name)).toContain(next.name);
  expect((await costOf()).calls).toBe(before.calls + 1);
});

it('closes the gap with the integrity check, so that the next version follows the others', async () => {
  // The loaded registry has no packs of its approved versions.
  await runCheck(true);
  const before = await costOf();
  await setSubmissionCounter(170_000_000);

  const { found, repaired } = await runCheck(true);
  await submitPackage(next, writeContext());

  expect({ wrong: found['wrong_counter'], repaired }).toEqual({ wrong: 1, repaired: 1 });
  expect(await readNewestSequenceNumber()).toBe(size + 1);
  expect((await costOf()).calls).toBe(before.calls);
  expect((await runCheck(false)).found['wrong_counter']).toBe(0);
});
