import { type Action, actions } from './actions.ts';
import { listBlocking, type ShownEvidence } from './shown-evidence.ts';

/** Returns why the registry will ask for a reason; undefined where it will not. */
export const findReasonPrompt = (action: Action, shown: ShownEvidence): string | undefined => {
  const { status, verb } = actions[action];
  if (action === 'keep') return 'Why is it kept?';
  if (status === 'approved' && listBlocking(shown).length > 0) {
    return `Why ${verb.toLowerCase()} it anyway?`;
  }
  return shown.status === 'pending' || shown.status === status
    ? undefined
    : 'Why reverse the decision?';
};
