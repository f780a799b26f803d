import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { parseSearchTerm } from '../../../shared/domain/packages/search.ts';
import {
  type CatalogueQuery,
  createCatalogue,
} from '../../../shared/storage/catalogue/catalogue.ts';
import { newestFirst, oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { listInFull } from '../../../shared/use-cases/review/list-in-full.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const name = (at: number): string => `queued-${at}`;
const makeId = (at: number): PackageId => ({ ecosystem: 'npm', name: name(at), version: '1.0.0' });
const namesOf = (...numbers: readonly number[]): string[] => numbers.map(name);

const submit = async (count: number): Promise<void> => {
  for (let at = 1; at <= count; at += 1) await submitPackage(makeId(at), writeContext());
};
const decide = (at: number, to: 'approved' | 'rejected' = 'approved', expires_at?: string) =>
  decidePackage(makeId(at), { to, by: 'ben', reason: 'now', expires_at }, writeContext());

const nothing = async (): Promise<void> => undefined;

/** Does one thing after the other, each after the rows of the list were read and before what is known of them. */
const betweenReads = async <T>(
  others: readonly (() => Promise<unknown>)[],
  act: () => Promise<T>,
): Promise<T & { readonly listed: number }> => {
  const waiting = [...others];
  let listed = 0;
  let isBusy = false;
  dynamodb.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (isBusy) return next(args);
        if (commandName === 'QueryCommand' && /"\*-p/.test(JSON.stringify(args.input))) {
          listed += 1;
        }
        if (commandName === 'BatchGetItemCommand' || commandName === 'BatchGetCommand') {
          isBusy = true;
          await waiting.shift()?.();
          isBusy = false;
        }
        return next(args);
      },
    { step: 'initialize', name: 'betweenReads' },
  );
  try {
    return { ...(await act()), listed };
  } finally {
    dynamodb.middlewareStack.remove('betweenReads');
  }
};

const list = async (query: Partial<CatalogueQuery>, now = new Date()) => {
  const whole = { order: oldestFirst, limit: 3, offset: 0, ...query };
  const { packages, total } = await listInFull(createCatalogue(), whole, { rules: {}, now });
  return {
    names: packages.map((one) => one.name),
    statuses: [...new Set(packages.map(({ status }) => status))],
    total,
  };
};

describe('a page of pending versions in full', () => {
  it('drops a version that is decided after the list was read, and takes the next one', async () => {
    await submit(6);

    const page = await betweenReads([() => decide(2)], () => list({ status: 'pending' }));

    expect(page).toEqual({ names: namesOf(1, 3, 4), statuses: ['pending'], total: 5, listed: 2 });
    const next = await list({ status: 'pending', offset: 3 });
    expect(next).toEqual({ names: namesOf(5, 6), statuses: ['pending'], total: 5 });
  });

  it.each([
    ['newest first', { order: newestFirst }, 5, namesOf(6, 4, 3)],
    ['by a search', { search: parseSearchTerm('queued') }, 2, namesOf(1, 3, 4)],
    ['at an offset', { offset: 2 }, 5, namesOf(3, 4, 6)],
  ])('does so %s', async (_, query, at, names) => {
    await submit(6);

    const page = await betweenReads([() => decide(at, 'rejected')], () =>
      list({ status: 'pending', ...query }),
    );

    expect(page).toMatchObject({ names, statuses: ['pending'], total: 5 });
  });

  it('is not read again where the list ends with it', async () => {
    await submit(3);

    const page = await betweenReads([() => decide(3, 'rejected')], () =>
      list({ status: 'pending', limit: 10 }),
    );

    expect(page).toEqual({ names: namesOf(1, 2), statuses: ['pending'], total: 2, listed: 1 });
  });

  it('is empty where everything is decided meanwhile', async () => {
    await submit(2);
    const decideAll = () => Promise.all([decide(1), decide(2, 'rejected')]);

    const page = await betweenReads([decideAll], () => list({ status: 'pending' }));

    expect(page).toMatchObject({ names: [], total: 0 });
  });

  it('never shows a decided version, however many decisions come, and is read 3 times at most', async () => {
    await submit(9);

    const decideAll = (...numbers: readonly number[]) =>
      Promise.all(numbers.map((at) => decide(at)));
    // The review states of decided versions are read a second time.
    const page = await betweenReads(
      [() => decideAll(1), nothing, () => decideAll(4, 5), nothing, () => decideAll(6, 7, 8)],
      () => list({ status: 'pending' }),
    );

    expect(page).toEqual({ names: namesOf(2, 3), statuses: ['pending'], total: 3, listed: 3 });
    const later = await list({ status: 'pending', limit: 9 });
    expect(later).toMatchObject({ names: namesOf(2, 3, 9), total: 3 });
  });
});

/** Repeats the answer of the first eventually consistent read of review states for all later ones, as a slow replica would. */
const replayEventualReads = async <T>(act: () => Promise<T>): Promise<T> => {
  let first: Promise<unknown> | undefined;
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      const { body } = args.request as { readonly body: Uint8Array };
      const isEventual = /"reviews":\{.*"ConsistentRead":false/.test(Buffer.from(body).toString());
      if (!isEventual) return next(args);
      first ??= next(args);
      return first as ReturnType<typeof next>;
    },
    { step: 'deserialize', priority: 'high', name: 'replayEventualReads' },
  );
  try {
    return await act();
  } finally {
    dynamodb.middlewareStack.remove('replayEventualReads');
  }
};

it('shows a submission and a decision that eventual reads of review states miss', async () => {
  await submit(3);

  const { before, after } = await replayEventualReads(async () => {
    const earlier = await list({ limit: 10 });
    await decide(2, 'rejected');
    await submitPackage(makeId(4), writeContext());
    const whole = { order: oldestFirst, limit: 10, offset: 0 };
    const now = new Date();
    const later = await measure(() => listInFull(createCatalogue(), whole, { rules: {}, now }));
    return { before: earlier, after: later };
  });

  expect(before.statuses).toEqual(['pending']);
  expect(after.result.packages).toMatchObject([
    { name: name(1), status: 'pending' },
    { name: name(2), status: 'rejected' },
    { name: name(3), status: 'pending' },
    { name: name(4), status: 'pending', submitted_at: expect.any(String) },
  ]);
  // One more round trip, for these two alone.
  expect(after.roundTrips).toBe(3);
});

describe('a page of approved versions in full', () => {
  it('leaves out approvals that expired, also before the clock has come', async () => {
    await submit(6);
    const soon = new Date(Date.now() + 60_000);
    for (let at = 1; at <= 6; at += 1) {
      await decide(at, 'approved', at === 2 ? soon.toISOString() : undefined);
    }

    const page = await list({ status: 'approved' }, soon);

    expect(page).toEqual({ names: namesOf(1, 3, 4), statuses: ['approved'], total: 5 });
  });
});

it('shows a decision that comes meanwhile in a list of any status', async () => {
  await submit(2);

  const page = await betweenReads([() => decide(1)], () => list({}));

  expect(page).toMatchObject({
    names: namesOf(1, 2),
    statuses: ['approved', 'pending'],
    total: 2,
  });
});
