import { useEffect } from 'preact/hooks';
import { Line } from '../parts/text.tsx';
import { useSession } from '../session/session.ts';
import { type ApproveAllRun, useApproveAll } from './approve-all.ts';
import {
  continueApproveAll,
  describeCounts,
  dismissApproveAll,
  mayContinue,
  resumeApproveAll,
  stopApproveAll,
} from './run-approve-all.ts';

const stageTexts = {
  running: 'Approving versions without issues',
  stopping: 'Stopping after this step',
  stopped: 'Stopped',
  done: 'Finished',
} satisfies Record<ApproveAllRun['stage'], string>;

const Actions = ({ stage }: Pick<ApproveAllRun, 'stage'>) => {
  if (stage === 'running' || stage === 'stopping') {
    return (
      <button type="button" disabled={stage === 'stopping'} onClick={stopApproveAll}>
        Stop
      </button>
    );
  }
  return (
    <>
      {stage === 'stopped' && (
        <button type="button" onClick={resumeApproveAll}>
          Go on
        </button>
      )}
      <button type="button" class="plain" onClick={dismissApproveAll}>
        Dismiss
      </button>
    </>
  );
};

/** The progress of an approval of all versions without issues. While it is on the page, the run continues. */
export const ApproveAllProgress = () => {
  const run = useApproveAll();
  const session = useSession();
  const isRunning = run?.stage === 'running';
  const isAllowed = run !== null && mayContinue(run, session);
  useEffect(() => {
    if (isRunning && isAllowed) continueApproveAll();
  }, [isRunning, isAllowed]);
  if (!run) return null;
  const { stage, counts, total, as, problem } = run;
  return (
    <>
      <strong>{stageTexts[stage]}</strong>
      {total !== null && (stage === 'running' || stage === 'stopping') && (
        <progress
          aria-label="Versions that the registry looked at"
          max={total}
          value={Math.min(total, counts.lookedAt)}
        />
      )}
      <span>{describeCounts(counts)}</span>
      {problem !== null && <Line text={problem} />}
      {isRunning && !isAllowed && as !== null && (
        <span>
          Sign in as <Line text={as} />, with the token or account that started this approval, to go
          on.
        </span>
      )}
      <Actions stage={stage} />
    </>
  );
};
