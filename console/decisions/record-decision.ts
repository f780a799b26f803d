import type { PackageAnswer } from '../../shared/api/schemas/package.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import type { VersionId } from '../address/address.ts';
import type { Action } from './actions.ts';
import { removeDraft, toDraftKey } from './drafts.ts';
import { findOutcome, updateOutcome } from './outcomes.ts';

/** Returns the name of the person who decided; null if it is unknown. */
const findDecider = (found: PackageAnswer): string | null =>
  found.status === 'approved'
    ? describeActor({ by: found.approved_by, token_label: found.approved_token_label })
    : describeActor({ by: found.rejected_by, token_label: found.rejected_token_label });

/** Returns the status of a version, and who decided when. */
export const toDecisionFields = (found: PackageAnswer) => ({
  status: found.status,
  by: findDecider(found),
  at: found.approved_at ?? found.rejected_at,
});

/** Stores the outcome of a decision, and removes its draft. A repeated answer may be older than the known outcome. */
export const recordDecision = (id: VersionId, action: Action, done: PackageAnswer): void => {
  removeDraft(toDraftKey(action, id));
  const decided = toDecisionFields(done);
  const isPast = (findOutcome(id)?.at ?? '') > (decided.at ?? '');
  updateOutcome(id, { ...(!isPast && decided), doing: undefined, made: action, news: 1 });
};
