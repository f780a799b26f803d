import { useEffect, useRef, useState } from 'preact/hooks';
import type { VersionId } from '../address/address.ts';
import { hasScope, type Session, useSession } from '../session/session.ts';
import { type Action, actions } from './actions.ts';
import { decide } from './decide.ts';
import { DecisionForm } from './decision-form.tsx';
import type { DecisionTerms } from './decision-requests.ts';
import { toDraftKey } from './drafts.ts';
import { isUnderWay, useOutcome } from './outcomes.ts';
import { findReasonPrompt } from './reason-needed.ts';
import { isEvidenceRefusal } from './send-decisions.ts';
import type { ShownEvidence } from './shown-evidence.ts';

interface SingleDecisionFormProps {
  readonly action: Action;
  readonly id: VersionId;
  /** What is on the screen of the version now. */
  readonly shown: ShownEvidence;
  readonly ask: (action: Action | null) => void;
  readonly decided: () => void;
}

/**
 * Returns the evidence as the form showed it when it opened. Newer evidence takes its place only after a refusal said so:
 * reviewers who type a reason do not see changes above the form.
 */
const useFirstShown = (id: VersionId, shown: ShownEvidence): ShownEvidence => {
  const refusal = useOutcome(id)?.refused?.error;
  const [first, setFirst] = useState(shown);
  const heeded = useRef(refusal);
  useEffect(() => {
    const isNew = isEvidenceRefusal(refusal) && heeded.current !== refusal;
    if (!isNew || shown.evidence_version === first.evidence_version) return;
    heeded.current = refusal;
    setFirst(shown);
  }, [refusal, shown.evidence_version]);
  return first;
};

/** Returns why the registry wants a reason of callers who can only withdraw their own submissions. */
const findOwnReason = (session: Session): string | undefined =>
  hasScope(session, 'review') ? undefined : 'Why is it not wanted any more?';

/** Returns what else there is to know: that the evidence has changed, or what the action leaves as it is. */
const describeAction = (
  action: Action,
  first: ShownEvidence,
  shown: ShownEvidence,
): string | undefined => {
  if (first.evidence_version !== shown.evidence_version) {
    return 'The evidence above has changed since this form was opened.';
  }
  if (action !== 'keep') return undefined;
  return first.objections.some(({ code }) => code === 'scan_failed')
    ? 'It stays approved until the same end. It needs attention until its vulnerabilities are accepted or fixed.'
    : 'It stays approved until the same end, and needs attention no more.';
};

/** Refusals after which the form would be about something else: somebody else has decided. */
const overtaken: readonly string[] = ['decision_conflict', 'decision_in_force'];

/** Asks for what goes with a decision on one version, and stays until it is decided by what it showed. */
export const SingleDecisionForm = ({
  action,
  id,
  shown,
  ask,
  decided,
}: SingleDecisionFormProps) => {
  const session = useSession();
  const isSending = isUnderWay(useOutcome(id));
  const first = useFirstShown(id, shown);
  const send = async (terms: DecisionTerms): Promise<void> => {
    const results = await decide(session, action, [{ ...id, ...first }], terms);
    const refusal = results?.[0]?.refused[0];
    // What the registry refuses can be mended here, and what was typed is still there.
    if (refusal && !overtaken.includes(refusal.code)) return;
    ask(null);
    if (!results || results[0]?.done === 1) decided();
  };
  const { verb, status } = actions[action];
  const blocking = status === 'approved' ? first.objections.filter(({ blocks }) => blocks) : [];
  return (
    <DecisionForm
      action={action}
      what={`${id.name} ${id.version}`}
      draft={toDraftKey(action, id)}
      overrides={blocking.map(({ message }) => message)}
      options={[
        {
          label: blocking.length > 0 ? `${verb} anyway` : verb,
          reasonPrompt: findReasonPrompt(action, first) ?? findOwnReason(session),
          send,
        },
      ]}
      isSending={isSending}
      note={describeAction(action, first, shown)}
      cancel={() => ask(null)}
    />
  );
};
