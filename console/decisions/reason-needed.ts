import type { Action } from './actions.ts';
import { listBlocking, type ShownEvidence } from './shown-evidence.ts';

/** Returns why the registry will ask for a reason; undefined where it will not. */
export const findReasonNeeded = (action: Action, shown: ShownEvidence): string | undefined => {
  if (action === 'approve' && listBlocking(shown).length > 0) return 'Why approve it anyway?';
  return shown.status === 'pending' ? undefined : 'Why reverse the decision?';
};
