import { useRef } from 'preact/hooks';
import { FormActions } from '../parts/form-actions.tsx';
import { formKeys } from '../parts/form-keys.ts';
import { Line, Text } from '../parts/text.tsx';
import { useFocusRestore } from '../parts/use-focus-restore.ts';
import { type Action, actions } from './actions.ts';
import type { DecisionTerms } from './decision-requests.ts';
import { findDraft, saveDraft } from './drafts.ts';

/** One way to send the form. */
export interface SubmitOption {
  /** What its button says. */
  readonly label: string;
  /** Why the registry will ask for a reason; undefined where it needs none. */
  readonly reasonPrompt: string | undefined;
  readonly send: (terms: DecisionTerms) => void;
}

interface DecisionFormProps {
  readonly action: Action;
  /** What is decided on: `left-pad 1.3.0`, `12 versions`. */
  readonly what: string;
  /** Names what was typed, which is kept until the decision is made. */
  readonly draft: string;
  /** The issues that an approval overrides, for people. */
  readonly overrides: readonly string[];
  /** Enter sends it the first way. */
  readonly options: readonly [SubmitOption, ...SubmitOption[]];
  readonly isSending?: boolean;
  readonly cancel: () => void;
  /** What else there is to know. */
  readonly note?: string | undefined;
}

const ends: readonly (readonly [days: string, meaning: string])[] = [
  ['', 'as the registry is set up'],
  ['30', 'for 30 days'],
  ['90', 'for 90 days'],
  ['180', 'for 180 days'],
  ['365', 'for a year'],
];

const ExpiryField = ({ end }: { readonly end: string }) => (
  <label>
    It holds
    <select name="end">
      {ends.map(([days, meaning]) => (
        <option key={days} value={days} selected={days === end}>
          {meaning}
        </option>
      ))}
    </select>
  </label>
);

const dayMs = 24 * 60 * 60_000;
const usualDays = 180;
const mostDays = 1825;

const toDay = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** The day from which on a renewed approval no longer holds. */
const ExpiryDateField = ({ end }: { readonly end: string }) => (
  <label>
    New expiry date
    <input
      type="date"
      name="until"
      required
      min={toDay(1)}
      max={toDay(mostDays)}
      defaultValue={end || toDay(usualDays)}
    />
  </label>
);

/** Returns the end of an approval as the form says it. */
const readExpiry = (
  form: HTMLFormElement,
): Pick<DecisionTerms, 'expires_at' | 'expires_in_days'> => {
  const days = Number(readField(form, 'end'));
  const until = readField(form, 'until');
  return {
    ...(days > 0 && { expires_in_days: days }),
    ...(until && { expires_at: `${until}T00:00:00Z` }),
  };
};

const readField = (form: HTMLFormElement, name: string): string =>
  String(new FormData(form).get(name) ?? '');

/** Asks for what goes with a decision. Enter sends it. */
export const DecisionForm = (props: DecisionFormProps) => {
  const { action, what, draft, overrides, options, isSending = false, cancel, note } = props;
  const reason = useRef<HTMLTextAreaElement>(null);
  const kept = useRef(findDraft(draft)).current;
  useFocusRestore(reason);
  const [first, ...others] = options;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending || !(form instanceof HTMLFormElement)) return;
    const at = event.submitter instanceof HTMLButtonElement ? Number(event.submitter.value) : 0;
    const { reasonPrompt, send } = options[at] ?? first;
    const given = readField(form, 'reason').trim();
    reason.current?.setCustomValidity(reasonPrompt && !given ? 'Give a reason' : '');
    if (!form.reportValidity()) return;
    send({ ...(given && { reason: given }), ...readExpiry(form) });
  };
  const keep = ({ currentTarget }: Event): void => {
    reason.current?.setCustomValidity('');
    if (!(currentTarget instanceof HTMLFormElement)) return;
    const end = readField(currentTarget, 'end') || readField(currentTarget, 'until');
    saveDraft(draft, { reason: readField(currentTarget, 'reason'), end });
  };
  return (
    <form
      class="decision-form"
      noValidate
      onSubmit={submit}
      onInput={keep}
      onKeyDown={formKeys(cancel)}
      aria-label={`${actions[action].verb} ${what}`}
    >
      <p>
        <strong>
          {actions[action].verb} <Line text={what} />
        </strong>
        {note && <span class="muted"> {note}</span>}
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
          {first.reasonPrompt ?? 'Reason'}{' '}
          {!first.reasonPrompt && (
            <span class="muted">
              {others.some((way) => way.reasonPrompt) ? 'needed to override' : 'optional'}
            </span>
          )}
        </span>
        <textarea
          ref={reason}
          name="reason"
          rows={2}
          maxLength={2000}
          defaultValue={kept.reason}
          required={first.reasonPrompt !== undefined}
        />
      </label>
      {action === 'approve' && <ExpiryField end={kept.end} />}
      {action === 'renew' && <ExpiryDateField end={kept.end} />}
      <FormActions isSending={isSending} cancel={cancel} others={others.map(({ label }) => label)}>
        {first.label} <kbd>Enter</kbd>
      </FormActions>
    </form>
  );
};
