import type { PackageId } from '../../domain/packages/package-id.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import { listVersionsAfter } from '../../storage/catalogue/versions-after.ts';
import { makeAttentionRow } from '../../storage/reviews/attention.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { readSweepState, saveSweepState } from '../../storage/reviews/sweep-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { changeEvidence } from '../review/change-evidence.ts';
import { advanceSweep, findSweep } from './sweep-rounds.ts';

interface SweepContext {
  readonly now: Date;
  readonly deadline: Deadline;
  readonly policy: ScanPolicy;
}

const versionsAtATime = 100;
const parallelVersions = 8;

/** Minimum remaining time to start a batch; the next run continues from there. */
const reserveMs = 20_000;

/** Updates the attention row of a version, if the row does not match the settings. */
const followSettings = async (id: PackageId, context: SweepContext): Promise<void> => {
  const head = await readReviewState(id);
  if (makeAttentionRow(id, head, context)?.k === (head.attention ?? undefined)) return;
  await changeEvidence(id, (file) => ({ after: file, writes: [] }), {
    ...context,
    actor: anonymous,
  });
};

/** Returns true on success. A failed version does not affect the others; the integrity check finds it. */
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

/**
 * Updates attention rows after a change of the scan policy. Covers all approved versions, and a second time half an hour
 * later. Runs while time allows; the next run continues from there.
 * @throws {Error} after all other versions, if some failed
 */
export const sweepAttention = async (context: SweepContext): Promise<void> => {
  const { policy, deadline, now } = context;
  const settings = [policy.failedFrom, policy.warningFrom, policy.unrated].join(' ');
  let state = findSweep(settings, 0, { state: await readSweepState<number>('attention'), now });
  let failed = 0;
  while (state && state.after !== null && deadline.remainingMs() > reserveMs) {
    const place = { status: 'approved', sequence: state.after } as const;
    const versions = await listVersionsAfter(place, versionsAtATime);
    const swept = await runInParallel(versions, parallelVersions, (id) => tryToFollow(id, context));
    const failedNow = swept.filter((isSwept) => !isSwept).length;
    failed += failedNow;
    const after = versions.at(-1)?.sequence ?? null;
    state = advanceSweep(state, { after, failed: failedNow }, now);
    await saveSweepState('attention', state);
    const { round } = state;
    logEvent('info', 'attention_swept', { versions: versions.length, round, done: after === null });
  }
  if (failed > 0) throw new Error(`${failed} versions were not looked at; the log names them`);
};
