import { useEffect, useState } from 'preact/hooks';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import type { Status } from '../../../shared/domain/review/status.ts';
import { toKey, type VersionId } from '../../address/version-id.ts';
import { type Action, listActions } from '../../decisions/actions.ts';
import { decide as decideNow } from '../../decisions/decide.ts';
import type { Outcome } from '../../decisions/outcome.ts';
import { canDecide } from '../../decisions/permission.tsx';
import { findReasonPrompt } from '../../decisions/reason-prompt.ts';
import { isEvidenceRefusal } from '../../decisions/send-decisions.ts';
import { findOpenEvidence, findRecallRecord } from '../../decisions/shown-evidence.ts';
import { hasScope, type Session } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import type { Row } from './rows.ts';

interface DecisionKeysProps {
  readonly session: Session;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The version that the user chose; undefined before the first choice. */
  readonly chosen: VersionId | undefined;
  /** The key of the open version. */
  readonly openedKey: string | undefined;
  readonly isManySelected: boolean;
  readonly open: (id: VersionId) => void;
  readonly moveOn: () => void;
}

/** Returns the current status of a listed or selected version. */
export const findStatus = (
  { key, status }: Pick<Row, 'key' | 'status'>,
  outcomes: DecisionKeysProps['outcomes'],
): Status => outcomes.get(key)?.status ?? status;

export const chooseFirst = 'Choose a version first: press j or k, or click a row';
export const mayNot = 'You cannot decide. Sign in with a token that has the scope “review”.';

/** Describes why no other decision on the version is possible now. */
const describeDoing = (id: VersionId, { stage }: NonNullable<Outcome['doing']>): string =>
  stage === 'unsent'
    ? `A decision on ${formatPackage(id)} is not made yet. Send or discard it first.`
    : `A decision on ${formatPackage(id)} is in progress.`;

/** The form of a decision: the action that it is about, null while it is closed, and the function that opens or closes it. */
interface DecisionFormState {
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
}

/**
 * Decides by shortcut, or opens a form if the decision needs a reason. Returns the form of the open version, the form of the
 * selected ones, and the function for the shortcuts.
 */
export const useDecisionKeys = (props: DecisionKeysProps) => {
  const { session, outcomes, chosen, openedKey, isManySelected, open, moveOn } = props;
  const [asked, setAsked] = useState<{ readonly action: Action; readonly of: string }>();
  const many = 'many';
  const makeForm = (of: string | undefined): DecisionFormState => ({
    asking: asked?.of === of ? (asked?.action ?? null) : null,
    // A late answer closes only its own form.
    ask: (action) =>
      setAsked((before) => {
        if (action && of !== undefined) return { action, of };
        return before?.of === of ? undefined : before;
      }),
  });
  const manyForm = makeForm(many);
  useEffect(() => {
    if (!isManySelected) setAsked((before) => (before?.of === many ? undefined : before));
  }, [isManySelected]);
  const decideOn = ({ ecosystem, name, version }: VersionId, action: Action): void => {
    const id = { ecosystem, name, version };
    const key = toKey(id);
    const outcome = outcomes.get(key);
    if (outcome?.doing) {
      announce(describeDoing(id, outcome.doing));
      return;
    }
    const evidence = findOpenEvidence(id);
    if (!evidence) {
      announce(
        key === openedKey ? 'The evidence is still loading' : 'Open the version first: press Enter',
      );
      return;
    }
    const shown = { ...evidence, status: outcome?.status ?? evidence.status };
    if (!canDecide(session, action, shown)) announce(mayNot);
    else if (!listActions(shown.status, findRecallRecord(shown) !== undefined).includes(action)) {
      announce(
        `${formatPackage(id)} is already ${shown.status}${shown.status === 'approved' ? ': renew, keep or reject it' : ''}.`,
      );
    } else if (
      action === 'reject' ||
      isEvidenceRefusal(outcome?.refused?.error) ||
      findReasonPrompt(action, shown)
    ) {
      open(id);
      setAsked({ action, of: key });
    } else {
      decideNow(session, action, [{ ...id, ...shown }]);
      moveOn();
    }
  };
  const decide = (action: Action): void => {
    if (!isManySelected && chosen) decideOn(chosen, action);
    else if (!isManySelected) announce(chooseFirst);
    else if (hasScope(session, 'review')) manyForm.ask(action);
    else announce(mayNot);
  };
  return { ofOpened: makeForm(openedKey), ofSelected: manyForm, decide };
};
