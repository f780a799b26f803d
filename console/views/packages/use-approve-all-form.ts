import { useState } from 'preact/hooks';
import { findApproveAll } from '../../decisions/approve-all.ts';
import { hasScope, type Session, useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import type { Filters, Source } from './filters.ts';
import { mayNot } from './use-decision-keys.ts';

/** The state of the form that approves all versions without issues. */
export interface ApproveAll {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Returns why no run can start; undefined if one can. */
export const findObstacle = (source: Source, { issue, search }: Filters, session: Session) => {
  if (!hasScope(session, 'review')) return mayNot;
  if (source !== 'queue') return 'Open the queue to approve all versions without issues.';
  if (issue !== '' && issue !== 'none') return 'The filter lists only versions with an issue.';
  if (search.trim() !== '') return 'Clear the search first: it cannot limit this approval.';
  const stage = findApproveAll()?.stage;
  return stage === undefined || stage === 'done'
    ? undefined
    : 'Another approval of all versions is not finished. Go on with it, or dismiss it first.';
};

/** Returns the state of the form, which opens in the queue for reviewers, one run at a time. */
export const useApproveAllForm = (source: Source, filters: Filters): ApproveAll => {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const open = (): void => {
    const obstacle = findObstacle(source, filters, session);
    if (obstacle === undefined) setOpen(true);
    else announce(obstacle);
  };
  return { isOpen, open, close: () => setOpen(false) };
};
