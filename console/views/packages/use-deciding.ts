import { useEffect, useState } from 'preact/hooks';
import type { Status } from '../../../shared/domain/status.ts';
import { decideOne, isEvidenceRefusal, type Seen } from '../../decisions/decide.ts';
import type { Action, Outcome } from '../../decisions/outcomes.ts';
import { findReasonNeeded } from '../../decisions/reason-needed.ts';
import { mayDecide } from '../../decisions/rights.tsx';
import { findShown } from '../../decisions/shown-evidence.ts';
import { announce } from '../../frame/announcements.ts';
import type { Session } from '../../session/session.ts';
import type { Row } from './rows.ts';

interface DecidingProps {
  readonly session: Session;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly current: Row | undefined;
  /** The key of the package that is shown beside the list, or in place of it. */
  readonly openedKey: string | undefined;
  readonly isManySelected: boolean;
  readonly open: (row: Row) => void;
  readonly moveOn: () => void;
}

/** Where a row stands by now. */
export const findStatus = ({ key, status }: Row, outcomes: DecidingProps['outcomes']): Status =>
  outcomes.get(key)?.status ?? status;

/** Returns what is on the screen of a row: its evidence where that is open, else the row. */
const toSeen = (row: Row, outcomes: DecidingProps['outcomes']): Seen => ({
  ...row,
  ...findShown(row),
  status: findStatus(row, outcomes),
});

const doneWords = { approve: 'approved', reject: 'rejected' } as const;

/** Decides by key: at once where the registry asks for nothing, else by the form of the package or of what is selected. */
export const useDeciding = (props: DecidingProps) => {
  const { session, outcomes, current, openedKey, isManySelected, open, moveOn } = props;
  const [asked, setAsked] = useState<{ readonly action: Action; readonly of: string }>();
  const many = 'many';
  const of = isManySelected ? many : openedKey;
  const asking = asked?.of === of ? (asked?.action ?? null) : null;
  // An answer that comes late closes no form but its own.
  const ask = (action: Action | null): void =>
    setAsked((before) => {
      if (action && of !== undefined) return { action, of };
      return before?.of === of ? undefined : before;
    });
  useEffect(() => {
    if (!isManySelected) setAsked((before) => (before?.of === many ? undefined : before));
  }, [isManySelected]);
  const decideCurrent = (row: Row, action: Action): void => {
    const seen = toSeen(row, outcomes);
    const { status } = seen;
    const outcome = outcomes.get(row.key);
    if (outcome?.sending) return;
    if (!mayDecide(session, action, status)) {
      announce('You may not decide: sign in with a token that is for reviewing.');
    } else if (status === doneWords[action]) {
      announce(`${row.name} ${row.version} is ${status} already.`);
    } else if (
      action === 'reject' ||
      isEvidenceRefusal(outcome?.refused?.error) ||
      findReasonNeeded(action, seen)
    ) {
      open(row);
      setAsked({ action, of: row.key });
    } else {
      decideOne(session.api, action, seen);
      moveOn();
    }
  };
  const decide = (action: Action): void => {
    // What is shown and is not in the list is decided on where it is shown.
    if (isManySelected || !current) ask(action);
    else decideCurrent(current, action);
  };
  return { asking, ask, decide };
};
