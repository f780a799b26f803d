import type { PackageAnswer } from '../../shared/api/schemas/package.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import type { VersionId } from '../address/address.ts';
import type { Action } from './actions.ts';
import { forgetDraft, nameDraft } from './drafts.ts';
import { findOutcome, noteOutcome } from './outcomes.ts';

/** Returns who decided, for people. */
const findDecider = (found: PackageAnswer): string | null =>
  found.status === 'approved'
    ? describeActor({ by: found.approved_by, token_label: found.approved_token_label })
    : describeActor({ by: found.rejected_by, token_label: found.rejected_token_label });

/** Returns the status of a version, and who decided on it when. */
export const toDecided = (found: PackageAnswer) => ({
  status: found.status,
  by: findDecider(found),
  at: found.approved_at ?? found.rejected_at,
});

/** Notes that a decision was made, and forgets what was typed for it. An answer that is repeated may be older than what is known. */
export const noteDone = (id: VersionId, action: Action, done: PackageAnswer): void => {
  forgetDraft(nameDraft(action, id));
  const decided = toDecided(done);
  const isPast = (findOutcome(id)?.at ?? '') > (decided.at ?? '');
  noteOutcome(id, { ...(!isPast && decided), doing: undefined, made: action, news: 1 });
};
