import { useEffect, useRef, useState } from 'preact/hooks';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { nameRecallRecord } from '../../shared/domain/recalls/recall.ts';
import type { VersionId } from '../address/version-id.ts';
import { hasScope, type Session, useSession } from '../session/session.ts';
import { type Action, actions } from './actions.ts';
import { decide } from './decide.ts';
import { DecisionForm } from './decision-form.tsx';
import type { DecisionTerms } from './decision-requests.ts';
import { toDraftKey } from './drafts.ts';
import { MalwareNotice } from './malware-notice.tsx';
import { isUnderWay, useOutcome } from './outcomes.ts';
import { findReasonPrompt } from './reason-prompt.ts';
import { isEvidenceRefusal } from './send-decisions.ts';
import { findRecallRecord, isMalware, type ShownEvidence } from './shown-evidence.ts';
import { UsesNotice } from './version-uses.tsx';

interface SingleDecisionFormProps {
  readonly action: Action;
  readonly id: VersionId;
  /** The evidence on the screen. */
  readonly shown: ShownEvidence;
  /** Opens the form of an action; null closes the form. */
  readonly ask: (action: Action | null) => void;
  readonly decided: () => void;
}

/**
 * Returns the evidence that was on the screen when the form opened. Newer evidence replaces it only after a refusal, because
 * reviewers who type a reason may miss changes above the form.
 */
const useFirstShown = (id: VersionId, shown: ShownEvidence): ShownEvidence => {
  const refusal = useOutcome(id)?.refused?.error;
  const [first, setFirst] = useState(shown);
  const handled = useRef(refusal);
  useEffect(() => {
    const isNew = isEvidenceRefusal(refusal) && handled.current !== refusal;
    const isSame =
      shown.evidence_version === first.evidence_version &&
      findRecallRecord(shown) === findRecallRecord(first);
    if (!isNew || isSame) return;
    handled.current = refusal;
    setFirst(shown);
  }, [refusal, shown.evidence_version, findRecallRecord(shown)]);
  return first;
};

/** Returns the label of the reason for submitters, who can only reject their own submissions; undefined for reviewers. */
const findOwnReason = (session: Session): string | undefined =>
  hasScope(session, 'review') ? undefined : 'Why do you withdraw this submission?';

/** Returns a note for the form: the evidence has changed, or what `keep` leaves unchanged. */
const describeAction = (
  action: Action,
  first: ShownEvidence,
  shown: ShownEvidence,
): string | undefined => {
  if (first.evidence_version !== shown.evidence_version) {
    return 'The evidence above has changed since this form was opened.';
  }
  if (action === 'reject' && shown.status === 'rejected') {
    return 'The recall becomes permanent: the end of the record changes nothing.';
  }
  if (action !== 'keep') return undefined;
  return first.issues.some(({ code }) => code === 'scan_failed')
    ? 'The version stays approved, with the same expiry date. It needs attention until its vulnerabilities are accepted or fixed.'
    : 'The version stays approved, with the same expiry date, and no longer needs attention.';
};

/** Returns what an approval overrides, in sentences: the blocking issues, and the record of a recall. */
const listOverrides = (shown: ShownEvidence): string[] => {
  const record = findRecallRecord(shown);
  return [
    ...shown.issues.filter(({ blocks }) => blocks).map(({ message }) => message),
    ...(record === undefined
      ? []
      : [
          `The registry recalled this version: ${nameRecallRecord(record)}. After the approval, the same record never recalls it again.`,
        ]),
  ];
};

/** Refusals that close the form, because somebody else has decided. */
const supersededCodes: readonly string[] = ['decision_conflict', 'decision_in_force'];

/** The form for a decision on one version. It stays open until the decision is made on the evidence that it showed. */
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
    // The form stays open after a refusal, with the typed reason.
    if (refusal && !supersededCodes.includes(refusal.code)) return;
    ask(null);
    if (!results || results[0]?.done === 1) decided();
  };
  const { verb, status } = actions[action];
  if (status === 'approved' && isMalware(first)) {
    return <MalwareNotice id={id} issues={first.issues} close={() => ask(null)} />;
  }
  const overrides = status === 'approved' ? listOverrides(first) : [];
  return (
    <DecisionForm
      action={action}
      what={formatPackage(id)}
      draft={toDraftKey(action, id)}
      overrides={overrides}
      options={[
        {
          label: overrides.length > 0 ? `${verb} anyway` : verb,
          reasonPrompt: findReasonPrompt(action, first) ?? findOwnReason(session),
          send,
        },
      ]}
      isSending={isSending}
      note={describeAction(action, first, shown)}
      cancel={() => ask(null)}
    >
      {action === 'reject' && <UsesNotice ids={[id]} />}
    </DecisionForm>
  );
};
