import { DecisionForm } from '../../decisions/decision-form.tsx';
import { removeDraft } from '../../decisions/drafts.ts';
import { startApproveAll } from '../../decisions/run-approve-all.ts';
import { describeCaller, useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import { usePendingTotal } from '../../state/pending-total.ts';
import { type Filters, isFiltered } from './filters.ts';
import { toReviewsQuery } from './rows.ts';
import { findObstacle } from './use-approve-all-form.ts';

const draft = 'approve-all';

interface ApproveAllFormProps {
  readonly filters: Filters;
  readonly close: () => void;
}

/** The form that starts to approve all pending versions without issues, in the whole queue or behind its filters. */
export const ApproveAllForm = ({ filters, close }: ApproveAllFormProps) => {
  const session = useSession();
  const pending = usePendingTotal();
  const isPart = isFiltered(filters);
  return (
    <DecisionForm
      action="approve"
      what={`all versions without issues ${isPart ? 'that match the filters' : 'in the queue'}`}
      draft={draft}
      overrides={[]}
      note="The console approves 100 at a time, without undo. You can stop it. Not approved: versions that wait for an automatic check, and packages that a held record of malware names. Lists have no warnings about dependencies."
      options={[
        {
          label: 'Approve all without issues',
          reasonPrompt: undefined,
          send: (terms) => {
            // The filters may have changed since the form opened.
            const obstacle = findObstacle('queue', filters, session);
            if (obstacle !== undefined) return announce(obstacle);
            startApproveAll({
              query: toReviewsQuery(filters, undefined),
              as: describeCaller(session.caller),
              fingerprint: session.caller?.fingerprint ?? null,
              terms,
              total: isPart ? null : (pending ?? null),
            });
            removeDraft(draft);
            close();
          },
        },
      ]}
      cancel={close}
    />
  );
};
