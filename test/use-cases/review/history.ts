import { isDeepStrictEqual } from 'node:util';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { statuses } from '../../../shared/domain/review/status.ts';
import { anonymous } from '../../../shared/domain/tokens/actor.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { selectVersion } from '../../../shared/storage/packages/find-versions.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import type { ReviewContext } from '../../../shared/use-cases/review/review-context.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { isInjected } from '../../support/faults.ts';
import type { Random } from '../../support/random.ts';
import type { Operation } from './find-linearization.ts';
import {
  type Decision,
  decideVersion,
  expireVersion,
  newVersion,
  type State,
} from './version-model.ts';

/** What a client heard of what it had asked for. */
export type Outcome =
  | { readonly kind: 'done'; readonly detail: PackageDetail }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** Surely nothing was done; or nobody knows. */
  | { readonly kind: 'undone' | 'unknown' };

/** What several clients did with some versions, and how it ended. */
export interface History {
  readonly operations: ReadonlyMap<string, Operation<State>[]>;
  /** How often each kind of operation ended in each way. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** Codes of refusals after which surely nothing was done. */
export const undone: ReadonlySet<string> = new Set(['write_contention', 'storage_unavailable']);

const listen = async (write: Promise<PackageDetail>): Promise<Outcome> => {
  try {
    return { kind: 'done', detail: await write };
  } catch (error) {
    if (isInjected(error)) return { kind: 'unknown' };
    if (!(error instanceof RegistryError)) throw error;
    const { code, message } = error;
    if (code === 'outcome_unknown') return { kind: 'unknown' };
    return undone.has(code) ? { kind: 'undone' } : { kind: 'refused', code, message };
  }
};

export const toState = (detail: PackageDetail, revision: number): State => {
  const { status, expires_at, previous } = detail;
  return {
    status,
    revision,
    expires_at,
    by: detail.approved_by ?? detail.rejected_by,
    previous: previous && { status: previous.status, by: previous.by },
  };
};

/** Whether an operation with this outcome can have led from one state to another. */
export const explainsDecision = (
  state: State,
  decision: Decision,
  outcome: Outcome,
): State | undefined => {
  const result = decideVersion(state, decision);
  if (outcome.kind === 'refused') {
    const [, stored] = / at the same moment; it is (\w+) now/.exec(outcome.message) ?? [];
    if (stored) return state?.status === stored ? state : undefined;
    return result === outcome.code ? state : undefined;
  }
  if (typeof result !== 'object') return undefined;
  if (outcome.kind !== 'done') return result;
  return isDeepStrictEqual(toState(outcome.detail, result.revision), result) ? result : undefined;
};

const explainsSubmission = (state: State, outcome: Outcome): State | undefined => {
  if (outcome.kind !== 'refused') return state === null ? newVersion : undefined;
  return outcome.code === 'package_exists' && state !== null ? state : undefined;
};

const soon = 60;
const inTime = 60_000;

/** Some clients of some versions, whose clock moves on with each thing that they do. */
export const createClients = (random: Random, versions: readonly PackageId[]) => {
  const operations = new Map<string, Operation<State>[]>();
  const outcomes = new Map<string, number>();
  let moments = 0;
  let names = 0;
  let clockMs = Date.now();

  const takeMoment = (): number => {
    moments += 1;
    return moments;
  };
  const note = (id: PackageId, operation: Operation<State>): void => {
    const { version } = id;
    operations.set(version, [...(operations.get(version) ?? []), operation]);
  };
  const count = (what: string): void => {
    outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
  };
  const moveClock = (): Date => {
    clockMs += random.below(500);
    return new Date(clockMs);
  };
  const makeContext = (now: Date): ReviewContext => {
    const end = performance.now() + random.pick([soon, inTime, inTime]);
    return {
      actor: anonymous,
      now,
      deadline: { remainingMs: () => end - performance.now() },
      catalogue: { layout: defaultLayout, shard: 0 },
      remember: () => [],
    };
  };

  /** Notes what can have happened by the way: an approval that runs out, of which nobody is told. */
  const noteExpiry = (id: PackageId, now: Date, [began, ended]: readonly [number, number]): void =>
    note(id, { began, ended, times: 'any', apply: (state) => expireVersion(state, now) });

  const submit = async (id: PackageId): Promise<void> => {
    const began = takeMoment();
    const outcome = await listen(submitPackage(id, makeContext(moveClock())));
    count(`submit ${outcome.kind}`);
    if (outcome.kind === 'undone') return;
    const isKnown = outcome.kind !== 'unknown';
    note(id, {
      began,
      ended: isKnown ? takeMoment() : Number.POSITIVE_INFINITY,
      times: isKnown ? 'once' : 'perhaps',
      apply: (state) => explainsSubmission(state, outcome),
    });
  };

  const decide = async (id: PackageId): Promise<void> => {
    const now = moveClock();
    names += 1;
    const to = random.pick(['approved', 'rejected'] as const);
    const holdsMs = random.pick([0, 500, 2000]);
    const decision: Decision = {
      to,
      by: `reviewer ${names}`,
      reason: random.below(5) === 0 ? null : 'because',
      expires_at:
        to === 'approved' && holdsMs > 0 ? new Date(now.getTime() + holdsMs).toISOString() : null,
      expectedStatus: random.below(4) === 0 ? random.pick(statuses) : null,
      now,
    };
    const began = takeMoment();
    const outcome = await listen(decidePackage(id, decision, makeContext(now)));
    const isKnown = outcome.kind !== 'unknown';
    const ended = isKnown ? takeMoment() : Number.POSITIVE_INFINITY;
    count(`decide ${outcome.kind === 'refused' ? outcome.code : outcome.kind}`);
    noteExpiry(id, now, [began, ended]);
    if (outcome.kind === 'undone') return;
    note(id, {
      began,
      ended,
      times: isKnown ? 'once' : 'perhaps',
      apply: (state) => explainsDecision(state, decision, outcome),
    });
  };

  const doDueWork = async (): Promise<void> => {
    const now = moveClock();
    const began = takeMoment();
    const run = runDueWork({ now, deadline: { remainingMs: () => 3 * inTime } });
    const isDone = await run.then(
      () => true,
      () => false,
    );
    count(`work ${isDone ? 'done' : 'failed'}`);
    const ended = isDone ? takeMoment() : Number.POSITIVE_INFINITY;
    for (const id of versions) noteExpiry(id, now, [began, ended]);
  };

  const noteRead = (id: PackageId, began: number, isSeen: (state: State) => boolean): void => {
    const ended = takeMoment();
    count('read done');
    note(id, { began, ended, times: 'once', apply: (s) => (isSeen(s) ? s : undefined) });
  };

  const readVersion = async (id: PackageId): Promise<void> => {
    const began = takeMoment();
    const read = random.pick([findVersion, () => selectVersion(id).catch(() => undefined)]);
    const item = await read(id);
    const seen = item ? toState(item, item.revision) : null;
    noteRead(id, began, (state) => isDeepStrictEqual(state, seen));
  };

  const readItsHead = async (id: PackageId): Promise<void> => {
    const began = takeMoment();
    const head = await readReviewState(id).catch(() => undefined);
    noteRead(id, began, (state) =>
      (['status', 'revision', 'expires_at'] as const).every(
        (field) => state?.[field] === head?.[field],
      ),
    );
  };

  const actions = [submit, decide, decide, decide, doDueWork, readVersion, readItsHead];
  return {
    /** Does something with one of the versions. */
    act: (): Promise<void> => random.pick(actions)(random.pick(versions)),
    /** Reads all that has come of it. */
    look: async (): Promise<void> => {
      for (const id of versions) await Promise.all([readVersion(id), readItsHead(id)]);
    },
    history: { operations, outcomes } satisfies History,
  };
};
