import { nameRecallRecord } from '../../shared/domain/recalls/recall.ts';
import { type Action, actions } from './actions.ts';
import { findRecallRecord, isMalware, listBlocking, type ShownEvidence } from './shown-evidence.ts';

/** Returns the label of a required reason; undefined if the reason is optional. */
export const findReasonPrompt = (action: Action, shown: ShownEvidence): string | undefined => {
  const { status, verb } = actions[action];
  const record = findRecallRecord(shown);
  if (action === 'keep') return 'Why do you keep the approval?';
  if (record !== undefined && (status === 'approved' || shown.status === status)) {
    return status === 'approved'
      ? `Why do you approve it despite the recall (${nameRecallRecord(record)})?`
      : 'Why do you reject it permanently?';
  }
  if (status === 'approved' && (isMalware(shown) || listBlocking(shown).length > 0)) {
    return `Why do you ${verb.toLowerCase()} it anyway?`;
  }
  return shown.status === 'pending' || shown.status === status
    ? undefined
    : 'Why do you reverse the decision?';
};
