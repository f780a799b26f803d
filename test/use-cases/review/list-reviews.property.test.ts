import * as fc from 'fast-check';
import { it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { ReviewsQuery } from '../../../shared/api/schemas/reviews-query.ts';
import { Submission } from '../../../shared/api/schemas/submission.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { countDemand } from '../../../shared/domain/review/batches.ts';
import { type Status, statuses } from '../../../shared/domain/review/status.ts';
import type { ReviewStateStream } from '../../../shared/platform/worker/events/head-stream.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { readRowSource } from '../../../shared/storage/reviews/row-source.ts';
import { indexVersions } from '../../../shared/use-cases/catalogue/index-versions.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { listReviews } from '../../../shared/use-cases/review/list-reviews.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine } from '../../support/engine.ts';
import { histories } from '../../support/histories.ts';
import { openReviewStream } from '../../support/review-stream.ts';

type HeadRecord = ReviewStateStream['Records'][number];

/** Versions, in two spellings of one key each. */
const versions = [
  ...['a', 'b', '@scope/c'].map((name) => [name, name].map(npm)),
  ...['1.0', '2.0'].map((version) => ['Typing_Ext', 'typing-ext'].map(pypi(version))),
] as const;
const batches = ['shop', 'till', 'shop-2'];

function npm(name: string): PackageId {
  return { ecosystem: 'npm', name, version: '1.0.0' };
}
function pypi(version: string) {
  return (name: string): PackageId => ({ ecosystem: 'pypi', name, version });
}

/** What happens to one version. */
interface Action {
  readonly version: number;
  readonly spelling: number;
  readonly what: 'submit' | 'approve' | 'reject' | 'withdraw' | 'expire';
  readonly batch: string | undefined;
}

const action: fc.Arbitrary<Action> = fc.record({
  version: fc.nat({ max: versions.length - 1 }),
  spelling: fc.nat({ max: 1 }),
  what: fc.constantFrom('submit', 'submit', 'submit', 'approve', 'reject', 'withdraw', 'expire'),
  batch: fc.constantFrom(undefined, ...batches),
});

/** One call of the index worker: from which versions its records come, and how often it comes again. */
const delivery = fc.record({
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
  again: fc.nat({ max: 2 }),
});

/** What a list must show of a version. */
interface Modelled {
  readonly key: string;
  readonly submitted_at: string;
  status: Status;
  batches: string[];
}
type Model = Map<string, Modelled>;

const second = 1000;
const beginning = Date.now() - 5 * 60 * second;
const deadline = { remainingMs: () => 60_000 };

/** Runs an action that the registry may refuse, and returns true if it did not. */
const isDone = async (work: Promise<unknown>): Promise<boolean> => {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof RegistryError) return false;
    throw error;
  }
};

const submit = async (id: PackageId, batch: string | undefined, now: Date, model: Model) => {
  const submission = Submission.parse({ ...id, license: 'MIT', batch });
  const key = toVersionKey(id);
  const known = model.get(key);
  const isNew = await isDone(submitPackage(submission, { ...writeContext(), now }));
  if (isNew !== (known === undefined)) throw new Error(`${key} was submitted twice, or never`);
  if (!known) {
    const joined = batch === undefined ? [] : [batch];
    model.set(key, { key, submitted_at: now.toISOString(), status: 'pending', batches: joined });
  } else if (known.status === 'pending' && batch && !known.batches.includes(batch)) {
    known.batches.push(batch);
  }
};

const decide = async ({ what }: Action, id: PackageId, now: Date, model: Model): Promise<void> => {
  const known = model.get(toVersionKey(id));
  if (!known) return;
  const to = what === 'reject' || what === 'withdraw' ? 'rejected' : 'approved';
  const expires_at = new Date(now.getTime() + 1).toISOString();
  const request = {
    ...({ to, by: 'ana', reason: 'A test', override: to === 'approved' ? true : null } as const),
    ...(what === 'expire' && { expires_at }),
    ...(what === 'withdraw' && { expectedStatus: 'pending' as const }),
  };
  if (await isDone(decidePackage(id, request, { ...writeContext(), now }))) known.status = to;
  else return;
  if (what !== 'expire') return;
  await runDueWork({ now: new Date(now.getTime() + 2), deadline });
  known.status = 'pending';
};

const run = async (actions: readonly Action[]): Promise<Model> => {
  const model: Model = new Map();
  for (const [at, one] of actions.entries()) {
    const now = new Date(beginning + at * second);
    const id = versions[one.version]?.[one.spelling];
    if (!id) throw new Error('There is no such version');
    if (one.what === 'submit') await submit(id, one.batch, now, model);
    else await decide(one, id, now, model);
  }
  return model;
};

/** Splits records into batches: in the order of each version, in any order across versions, with repetitions. */
const deliver = (
  records: readonly HeadRecord[],
  plan: readonly { readonly picks: readonly number[]; readonly again: number }[],
): HeadRecord[][] => {
  const queues = Map.groupBy(records, ({ dynamodb }) => dynamodb.Keys.v.S);
  const take = (pick: number): HeadRecord[] => {
    const waiting = [...queues.values()].filter(({ length }) => length > 0);
    const record = waiting[pick % Math.max(1, waiting.length)]?.shift();
    return record ? [record] : [];
  };
  const planned = plan.flatMap(({ picks, again }) => {
    const batch = picks.flatMap(take);
    return Array.from({ length: 1 + again }, () => batch);
  });
  return [...planned, ...queues.values()];
};

/** Picks records that come once more after all others. Without a batch, no row shows that a record is late. */
const pickLate = (records: readonly HeadRecord[], picks: readonly number[]): HeadRecord[][] => {
  const inBatches = records.filter(({ dynamodb }) => {
    const source = readRowSource(dynamodb.NewImage);
    return source !== undefined && source.batches.length > 0;
  });
  return picks.map((pick) => [inBatches[pick % inBatches.length] ?? []].flat());
};

const list = async (query: Readonly<Record<string, string>>) => {
  const context = {
    rules: {},
    inquiries: { isScanning: false, isCollectingFacts: false },
    now: new Date(),
  };
  const pages = [await listReviews(ReviewsQuery.parse(query), context)];
  for (let last = pages[0]; last?.next; last = pages.at(-1)) {
    pages.push(await listReviews(ReviewsQuery.parse({ ...query, after: last.next }), context));
  }
  return pages.flatMap(({ reviews }) =>
    reviews.map(({ status, batches: joined, demand, ...id }) => ({
      ...{ key: toVersionKey(id), status, batches: joined, demand },
    })),
  );
};

const expected = (model: Model, isListed: (one: Modelled) => boolean) =>
  [...model.values()]
    .filter(isListed)
    .sort((one, other) => (one.submitted_at < other.submitted_at ? -1 : 1))
    .map(({ key, status, batches: joined }) => ({
      ...{ key, status, batches: joined, demand: countDemand(joined) },
    }));

const equal = (found: unknown, wanted: unknown, what: string): void => {
  const [is, must] = [found, wanted].map((one) => JSON.stringify(one));
  if (is !== must) throw new Error(`${what}\n  is      ${is}\n  must be ${must}`);
};

const checkLists = async (model: Model): Promise<void> => {
  const pending = expected(model, ({ status }) => status === 'pending');
  equal(await list({ limit: '2' }), pending, 'the list of pending versions');
  for (const batch of [...batches, 'nobody']) {
    const isIn = (one: Modelled): boolean => one.batches.includes(batch);
    equal(await list({ batch, status: 'all', limit: '2' }), expected(model, isIn), batch);
    for (const status of statuses) {
      const wanted = expected(model, (one) => isIn(one) && one.status === status);
      equal(await list({ batch, status }), wanted, `${batch} with ${status}`);
    }
  }
};

it('lists of reviews follow from submissions and decisions, however the stream is delivered', async () => {
  const history = fc.asyncProperty(
    fc.array(action, { minLength: 5, maxLength: 30 }),
    fc.array(delivery, { maxLength: 12 }),
    fc.array(fc.nat(), { maxLength: 4 }),
    async (actions, plan, late) => {
      const engine = await startEngine();
      try {
        const readStream = await openReviewStream(engine);
        const model = await run(actions);
        const records = await readStream();
        const lateOnes = pickLate(records, late);
        for (const Records of [...deliver(records, plan), ...lateOnes]) {
          await indexVersions({ Records }, deadline);
        }

        await checkLists(model);
        const request = IntegrityReport.parse({ repair: false });
        const { found } = await checkIntegrity(request, defaultLayout, deadline);
        equal(found, IntegrityReport.parse({}).found, 'the integrity check');
      } finally {
        await engine.close();
      }
    },
  );

  await fc.assert(history, { numRuns: histories(8), seed: 1 });
});
