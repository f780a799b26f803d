import { useEffect, useRef, useState } from 'preact/hooks';
import type { VersionId } from '../address/address.ts';
import { may, type Session, useSession } from '../session/session.ts';
import { type DecisionTerms, decideOne, isEvidenceRefusal } from './decide.ts';
import { DecisionForm } from './decision-form.tsx';
import { type Action, useOutcome } from './outcomes.ts';
import { findReasonNeeded } from './reason-needed.ts';
import type { ShownEvidence } from './shown-evidence.ts';

interface AskedFormProps {
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
  may(session, 'review') ? undefined : 'Why is it not wanted any more?';

/** Asks for what goes with a decision on one version, and stays until it is decided by what it showed. */
export const AskedForm = ({ action, id, shown, ask, decided }: AskedFormProps) => {
  const session = useSession();
  const isSending = useOutcome(id)?.sending !== undefined;
  const first = useFirstShown(id, shown);
  const send = async (terms: DecisionTerms): Promise<void> => {
    const refusal = await decideOne(session.api, action, { ...id, ...first }, terms);
    if (!isEvidenceRefusal(refusal)) ask(null);
    if (!refusal) decided();
  };
  const blocking = first.objections.filter(({ blocks }) => blocks);
  return (
    <DecisionForm
      action={action}
      what={`${id.name} ${id.version}`}
      needsReason={findReasonNeeded(action, first) ?? findOwnReason(session)}
      overrides={action === 'approve' ? blocking.map(({ message }) => message) : []}
      isSending={isSending}
      send={send}
      cancel={() => ask(null)}
    />
  );
};
