import { useRef } from 'preact/hooks';
import { FormActions } from '../parts/form-actions.tsx';
import { formKeys } from '../parts/form-keys.ts';
import { Line, Text } from '../parts/text.tsx';
import { useBorrowedFocus } from '../parts/use-borrowed-focus.ts';
import type { DecisionTerms } from './decide.ts';
import type { Action } from './outcomes.ts';

interface DecisionFormProps {
  readonly action: Action;
  /** What is decided on: `left-pad 1.3.0`, `12 versions`. */
  readonly what: string;
  /** Why the registry will ask for a reason; undefined where it needs none. */
  readonly needsReason: string | undefined;
  /** The issues that an approval overrides, for people. */
  readonly overrides: readonly string[];
  readonly isSending?: boolean;
  readonly send: (terms: DecisionTerms) => void;
  readonly cancel: () => void;
  /** What else there is to know. */
  readonly note?: string | undefined;
}

const actionWords = { approve: 'Approve', reject: 'Reject' } as const;

const ends: readonly (readonly [days: string, meaning: string])[] = [
  ['', 'as the registry is set up'],
  ['30', 'for 30 days'],
  ['90', 'for 90 days'],
  ['180', 'for 180 days'],
  ['365', 'for a year'],
];

/** Asks for what goes with a decision. Enter sends it. */
export const DecisionForm = (props: DecisionFormProps) => {
  const { action, what, needsReason, overrides, isSending = false, send, cancel, note } = props;
  const reason = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLSelectElement>(null);
  useBorrowedFocus(reason);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isSending) return;
    const given = reason.current?.value.trim();
    const days = Number(end.current?.value);
    send({
      ...(given && { reason: given }),
      ...(days > 0 && { expires_in_days: days }),
    });
  };
  return (
    <form
      class="decision-form"
      onSubmit={submit}
      onKeyDown={formKeys(cancel)}
      aria-label={`${actionWords[action]} ${what}`}
    >
      <p>
        <strong>
          {actionWords[action]} <Line text={what} />
        </strong>
        {note && <span class="aside"> {note}</span>}
      </p>
      {overrides.length > 0 && (
        <ul class="overrides" aria-label="Overrides">
          {overrides.map((issue) => (
            <li key={issue}>
              <Text text={issue} />
            </li>
          ))}
        </ul>
      )}
      <label>
        <span>
          {needsReason ?? 'Reason'}{' '}
          {!needsReason && <span class="aside">if there is one to tell</span>}
        </span>
        <textarea
          ref={reason}
          name="reason"
          rows={2}
          maxLength={2000}
          required={needsReason !== undefined}
        />
      </label>
      {action === 'approve' && (
        <label>
          It holds
          <select ref={end} name="end">
            {ends.map(([days, meaning]) => (
              <option key={days} value={days}>
                {meaning}
              </option>
            ))}
          </select>
        </label>
      )}
      <FormActions isSending={isSending} cancel={cancel}>
        {actionWords[action]} {overrides.length > 0 ? 'anyway' : ''} <kbd>Enter</kbd>
      </FormActions>
    </form>
  );
};
