import { setTimeout as delay } from 'node:timers/promises';
import type { PolicyRun } from '../../shared/api/schemas/policy.ts';
import { NegativeResultError } from '../failure/negative-result-error.ts';
import { defineCommand } from '../framework/define-command.ts';
import { withInterruption } from '../input/interruption.ts';
import { writeResult } from '../output/result.ts';
import { formatTally } from '../output/tally.ts';
import { formatCount } from '../output/text.ts';
import type { Session } from '../session/session.ts';

const intervalMs = 1000;

/** Without progress for this long, the command ends; the registry goes on. */
const longestPauseMs = 5 * 60_000;

/** @throws {Error} if the run makes no progress */
const waitForRun = async (
  { client, progress }: Session,
  total: number,
  signal: AbortSignal,
): Promise<PolicyRun> => {
  let [lookedAt, since] = [-1, Date.now()];
  for (;;) {
    const { run } = await client.showPolicy({}, { signal });
    if (run?.state === 'done') return run;
    const now = run?.looked_at ?? 0;
    if (now !== lookedAt) [lookedAt, since] = [now, Date.now()];
    if (Date.now() - since > longestPauseMs) {
      throw new Error(
        'The run has made no progress for 5 minutes. The log of the worker apply-policy has the fault; registry policy show has the progress.',
      );
    }
    progress.show(`${formatCount(now)} of ${formatCount(total)} pending versions evaluated`);
    await delay(intervalMs, undefined, { signal });
  }
};

const describeRun = ({ looked_at, failed, ...run }: PolicyRun): string => {
  const { approved, rejected, held, undecided } = run;
  const tally = formatTally(Object.entries({ approved, rejected, held, undecided }));
  const faults = failed > 0 ? `, ${formatCount(failed)} failed` : '';
  return `${formatCount(looked_at)} pending versions evaluated: ${tally}${faults}.`;
};

export const policyApply = defineCommand('runPolicy', {
  name: 'policy apply',
  examples: ['policy apply', 'policy apply --json'],
  run: async (call) => {
    const { session } = call;
    const { client, terminal, format, progress } = session;
    const { run } = await client.runPolicy();
    if (!run) {
      throw new NegativeResultError('The registry has no rules.', [
        'Deploy a policy with the setting reviewPolicy: docs/policy.md describes it.',
      ]);
    }
    const { total } = await client.listPackages({ query: { status: 'pending', limit: 1 } });
    try {
      const done = await withInterruption((signal) => waitForRun(session, total, signal));
      progress.end();
      writeResult(done, terminal, { format, formatAnswer: () => [describeRun(done)] });
      if (done.failed > 0)
        throw new Error('Some versions failed: the log of apply-policy names them.');
    } finally {
      progress.end();
    }
  },
});
