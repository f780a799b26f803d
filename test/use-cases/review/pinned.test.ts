import { afterEach, beforeEach, expect, it } from 'vitest';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { id, inDays, learn, submit } from '../policy/policy-registry.ts';
import { work } from '../vulnerability-index/accepted-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await submit();
});
afterEach(() => engine.close());

const approve = (some = {}) =>
  decidePackage(id, { to: 'approved', by: 'ana', ...some }, writeContext());
const reject = () =>
  decidePackage(id, { to: 'rejected', by: 'ana', reason: 'no more' }, writeContext());

/** The digest that a version is pinned to, which its head says, too. */
const readPinned = async (): Promise<string | null> => {
  const [version, head] = await Promise.all([findVersion(id), readReviewState(id)]);
  expect(head.pinned).toBe(version?.pinned ?? null);
  return head.pinned;
};
const readDigest = async () => (await readReviewState(id)).facts?.digest;

it('is what was known when it was approved, whatever comes later', async () => {
  await learn();
  const digest = await readDigest();

  expect(await readPinned()).toBe(null);
  await approve();
  await learn({ description: 'Something else' });

  expect(await readDigest()).not.toBe(digest);
  expect(await readPinned()).toBe(digest);
});

it('is what comes first where nothing was known', async () => {
  await approve();
  await learn({ found: 'unknown' });
  expect(await readPinned()).toBe(null);

  await learn();
  const digest = await readDigest();
  await learn({ description: 'Something else' });

  expect(digest).toBeDefined();
  expect(await readPinned()).toBe(digest);
});

it('is nothing where its origin did not have it then, until somebody approves what came later', async () => {
  await approve();
  await learn({ found: 'no' });
  await learn();
  expect(await readPinned()).toBe(null);
  await learn({ description: 'Something else' });
  expect(await readPinned()).toBe(null);

  await approve({ expires_at: inDays(30) });

  expect(await readPinned()).toBe(await readDigest());
});

it('stays what it was where an approval only gets another end', async () => {
  await learn();
  await approve();
  const digest = await readDigest();
  await learn({ found: 'no' });

  await approve({ expires_at: inDays(30) });

  expect(await readPinned()).toBe(digest);
});

it('is nothing where it is not approved, and what is known by then where it is approved again', async () => {
  await learn();
  await approve();
  await reject();
  expect(await readPinned()).toBe(null);
  await learn({ description: 'Something else' });
  expect(await readPinned()).toBe(null);

  await approve({ reason: 'after all' });

  expect(await readPinned()).toBe(await readDigest());
});

it('is nothing any more after an approval has run out', async () => {
  await learn();
  const expires_at = new Date(Date.now() + 60_000).toISOString();
  await approve({ expires_at });

  await work(inDays(1));

  expect((await findVersion(id))?.status).toBe('pending');
  expect(await readPinned()).toBe(null);
});
