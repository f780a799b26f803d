import type { Deadline } from '../deadline.ts';
import { anonymous } from '../domain/actor.ts';
import type { PackageId } from '../domain/package-id.ts';
import type { ScanPolicy } from '../domain/scans/judge.ts';
import { runInParallel } from '../in-parallel.ts';
import { logEvent } from '../log.ts';
import { listVersionsAfter } from '../store/catalogue/versions-after.ts';
import { makeAttentionRow } from '../store/reviews/attention.ts';
import { keepSweepState, readSweepState } from '../store/reviews/attention-sweep.ts';
import { readHead } from '../store/reviews/heads.ts';
import { changeEvidence } from './change-evidence.ts';

interface SweepContext {
  readonly now: Date;
  readonly deadline: Deadline;
  readonly policy: ScanPolicy;
}

const versionsAtATime = 100;
const parallelVersions = 8;

/** Less time than this is not worth beginning with: the next run goes on. */
const reserveMs = 20_000;

/** Has the row of a version follow the settings, where it does not. */
const followSettings = async (id: PackageId, context: SweepContext): Promise<void> => {
  const head = await readHead(id);
  if (makeAttentionRow(id, head, context)?.k === (head.attention ?? undefined)) return;
  await changeEvidence(id, (file) => ({ after: file, writes: [] }), {
    ...context,
    actor: anonymous,
  });
};

/** Resolves to whether it was done. One that fails costs itself alone; the audit finds it. */
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
 * Has what needs attention follow the settings that say when a scan fails: goes through all approved versions once after
 * each change of them, as far as time allows, and from there on the next time.
 * @throws {Error} where versions failed, after the others
 */
export const sweepAttention = async (context: SweepContext): Promise<void> => {
  const { policy, deadline } = context;
  const settings = [policy.failedFrom, policy.warningFrom, policy.unrated].join(' ');
  const state = await readSweepState();
  let after = state?.policy === settings ? state.after : 0;
  let failed = 0;
  while (after !== null && deadline.remainingMs() > reserveMs) {
    const place = { status: 'approved', ordinal: after } as const;
    const versions = await listVersionsAfter(place, versionsAtATime);
    const swept = await runInParallel(versions, parallelVersions, (id) => tryToFollow(id, context));
    failed += swept.filter((isSwept) => !isSwept).length;
    after = versions.at(-1)?.ordinal ?? null;
    await keepSweepState({ policy: settings, after });
    logEvent('info', 'attention_swept', { versions: versions.length, done: after === null });
  }
  if (failed > 0) throw new Error(`${failed} versions were not looked at; the log names them`);
};
