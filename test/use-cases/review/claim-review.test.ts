import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { deleteItem } from '../../../shared/storage/dynamodb/write.ts';
import { deleteAlone, updateAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { selectVersion } from '../../../shared/storage/packages/find-versions.ts';
import { toDetail } from '../../../shared/storage/packages/package-item.ts';
import {
  findReviewState,
  readReviewState,
  reviewStatesTable,
  toReviewStateKey,
} from '../../../shared/storage/reviews/review-state.ts';
import { applyDecision, saveClaim } from '../../../shared/storage/reviews/review-state-writes.ts';
import { claimReview } from '../../../shared/use-cases/review/claim-review.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const id = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' } as const;
const claimOf = { by: 'bob', until: '2999-01-01T00:00:00.000Z' };
const as = (label: string) => ({ actor: { label, fingerprint: null }, now: new Date() });

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await submitPackage(id, writeContext());
});
afterEach(() => engine.close());

it('fails at once without a review state, and names the integrity check', async () => {
  await deleteAlone(deleteItem(reviewStatesTable, toReviewStateKey(id)));

  await expect(claimReview(id, {}, as('ana'))).rejects.toThrow('run the integrity check');
  expect(await findReviewState(id)).toBeUndefined();
});

it('works while the review state has another status than the version', async () => {
  const key = toReviewStateKey(id);
  await dynamodb.send(
    new UpdateCommand({
      ...{ TableName: 'reviews', Key: key, UpdateExpression: 'SET #s = :s' },
      ...{
        ExpressionAttributeNames: { '#s': 'status' },
        ExpressionAttributeValues: { ':s': 'rejected' },
      },
    }),
  );

  expect((await claimReview(id, {}, as('ana'))).claim).toMatchObject({ by: 'ana' });
});

it('ends after a few conflicts', async () => {
  const isUpdate = (command: unknown) => command instanceof UpdateCommand;
  let claims = 0;
  const real = dynamodb.send.bind(dynamodb);
  const claimFirst = async (command: never) => {
    if (isUpdate(command)) {
      claims += 1;
      const seen = { by: `other-${claims}`, until: claimOf.until };
      await real(
        new UpdateCommand({
          ...{ TableName: 'reviews', Key: toReviewStateKey(id) },
          ...{ UpdateExpression: 'SET claim = :c', ExpressionAttributeValues: { ':c': seen } },
        }),
      );
    }
    return real(command);
  };
  const spy = vi.spyOn(dynamodb, 'send').mockImplementation(claimFirst as never);

  await expect(claimReview(id, {}, as('ana'))).rejects.toThrow('in the meantime');
  spy.mockRestore();
  expect(claims).toBe(5);
});

it('ends with a decision that has not read it', async () => {
  const seen = await readReviewState(id);
  await claimReview(id, {}, as('ana'));
  const detail = toDetail(await selectVersion(id));
  const { facts, known_withdrawal, at } = seen;

  await updateAlone(
    applyDecision(seen, {
      ...{ detail, pinned: null, revision: 1, at, attention: null, refresh_at: undefined },
      ...{ facts, known_withdrawal },
    }),
  );

  expect((await readReviewState(id)).claim).toBeNull();
});

it('refuses to replace a claim that nobody has read', async () => {
  const seen = await readReviewState(id);
  await claimReview(id, {}, as('ana'));

  await expect(updateAlone(saveClaim(id, seen, claimOf))).rejects.toThrow('in the meantime');
  expect((await readReviewState(id)).claim).toMatchObject({ by: 'ana' });
});
