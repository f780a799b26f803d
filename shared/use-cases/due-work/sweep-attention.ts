import type { PackageId } from '../../domain/packages/package-id.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { listVersionsAfter } from '../../storage/catalogue/versions-after.ts';
import { makeAttentionRow } from '../../storage/reviews/attention.ts';
import {
  readSweepState,
  type SweepState,
  saveSweepState,
} from '../../storage/reviews/attention-sweep.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { changeEvidence } from '../review/change-evidence.ts';

interface SweepContext {
  readonly now: Date;
  readonly deadline: Deadline;
  readonly policy: ScanPolicy;
}

const versionsAtATime = 100;
const parallelVersions = 8;

/** Less time than this is not worth beginning with: the next run goes on. */
const reserveMs = 20_000;

/** Longer than a deployment takes. */
const firstPauseMs = 30 * 60_000;

/** Has the row of a version follow the settings, where it does not. */
const followSettings = async (id: PackageId, context: SweepContext): Promise<void> => {
  const head = await readReviewState(id);
  if (makeAttentionRow(id, head, context)?.k === (head.attention ?? undefined)) return;
  await changeEvidence(id, (file) => ({ after: file, writes: [] }), {
    ...context,
    actor: anonymous,
  });
};

/** Resolves to whether it was done. One that fails costs itself alone; the integrity check finds it. */
const tryToFollow = async (id: PackageId, context: SweepContext): Promise<boolean> => {
  try {
    await followSettings(id, context);
    return true;
  } catch (error) {
    const { ecosystem, name, version } = id;
    logEvent('error', 'attention_not_swept', { ecosystem, name, version, error });
    return false;
  }
};

/** Where it goes on; undefined where nothing is to be done now. */
const findPlace = (
  settings: string,
  state: SweepState | undefined,
  now: Date,
): SweepState | undefined => {
  const start = { policy: settings, after: 0, round: 1, failed: 0, again_at: null };
  if (state?.policy !== settings) return start;
  if (state.after !== null) return state;
  const isDue = state.again_at !== null && new Date(state.again_at) <= now;
  return isDue ? { ...start, round: state.round + 1 } : undefined;
};

/**
 * When all are to be looked at once more. While a deployment is under way, functions that have the settings of before may
 * write by them behind the first round; after that, only what failed needs another, less and less often.
 */
const findNextRound = ({ round, failed }: SweepState, now: Date): string | null =>
  round === 1 || failed > 0
    ? new Date(now.getTime() + firstPauseMs * 2 ** (round - 1)).toISOString()
    : null;

/**
 * Has what needs attention follow the settings that say when a scan fails: goes through all approved versions after each
 * change of them, and once more half an hour after that, as far as time allows, and from there on the next time.
 * @throws {Error} where versions failed, after the others
 */
export const sweepAttention = async (context: SweepContext): Promise<void> => {
  const { policy, deadline, now } = context;
  const settings = [policy.failedFrom, policy.warningFrom, policy.unrated].join(' ');
  let state = findPlace(settings, await readSweepState(), now);
  let failed = 0;
  while (state && state.after !== null && deadline.remainingMs() > reserveMs) {
    const place = { status: 'approved', ordinal: state.after } as const;
    const versions = await listVersionsAfter(place, versionsAtATime);
    const swept = await runInParallel(versions, parallelVersions, (id) => tryToFollow(id, context));
    const failedNow = swept.filter((isSwept) => !isSwept).length;
    failed += failedNow;
    state = {
      ...state,
      after: versions.at(-1)?.ordinal ?? null,
      failed: state.failed + failedNow,
    };
    if (state.after === null) state = { ...state, again_at: findNextRound(state, now) };
    await saveSweepState(state);
    const { round, after } = state;
    logEvent('info', 'attention_swept', { versions: versions.length, round, done: after === null });
  }
  if (failed > 0) throw new Error(`${failed} versions were not looked at; the log names them`);
};
