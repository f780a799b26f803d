import { startApproveAll } from '../../decisions/approve-all.ts';
import { DecisionForm } from '../../decisions/decision-form.tsx';
import { removeDraft } from '../../decisions/drafts.ts';
import { describeCaller, useSession } from '../../session/session.ts';
import { usePendingTotal } from '../../state/pending-total.ts';
import { type Filters, isFiltered } from './filters.ts';
import { toReviewsQuery } from './rows.ts';

const draft = 'approve-all';

interface ApproveAllFormProps {
  readonly filters: Filters;
  readonly close: () => void;
}

/** The form that starts to approve all pending versions without issues, in the whole queue or behind its filters. */
export const ApproveAllForm = ({ filters, close }: ApproveAllFormProps) => {
  const { caller } = useSession();
  const pending = usePendingTotal();
  const isPart = isFiltered(filters);
  return (
    <DecisionForm
      action="approve"
      what={`all versions without issues ${isPart ? 'that match the filters' : 'in the queue'}`}
      draft={draft}
      overrides={[]}
      note="The console approves 100 at a time, without undo. You can stop it. Versions that wait for an automatic check stay pending."
      options={[
        {
          label: 'Approve all without issues',
          reasonPrompt: undefined,
          send: (terms) => {
            startApproveAll({
              query: toReviewsQuery(filters, undefined),
              search: filters.search.trim().toLowerCase(),
              as: describeCaller(caller),
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
