import type { PackageAnswer } from '../../shared/api/schemas/package.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import type { VersionId } from '../address/version-id.ts';
import type { Action } from './actions.ts';
import { removeDecided } from './basket.ts';
import { removeDraft, toDraftKey } from './drafts.ts';
import type { OutcomeChange } from './outcome.ts';
import { findOutcome, updateOutcomes } from './outcomes.ts';

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

/** A version, and the answer of the registry after a decision on it. */
interface Decided {
  readonly id: VersionId;
  readonly found: PackageAnswer;
}

const toChange = (action: Action, { id, found }: Decided): OutcomeChange => {
  const decided = toDecisionFields(found);
  // A repeated answer may be older than the known outcome.
  const isPast = (findOutcome(id)?.at ?? '') > (decided.at ?? '');
  return { id, ...(!isPast && decided), doing: undefined, made: action, news: 1 };
};

/** Stores the outcomes of decisions with one action. Removes their drafts, and takes the versions out of the basket. */
export const recordDecisions = (action: Action, made: readonly Decided[]): void => {
  for (const { id } of made) removeDraft(toDraftKey(action, id));
  updateOutcomes(made.map((one) => toChange(action, one)));
  removeDecided(made.map(({ id }) => id));
};
