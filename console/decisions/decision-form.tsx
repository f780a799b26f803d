import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { dayMs } from '../../shared/util/duration.ts';
import { FormActions } from '../parts/form-actions.tsx';
import { formKeys } from '../parts/form-keys.ts';
import { Line, Text } from '../parts/text.tsx';
import { useFocusRestore } from '../parts/use-focus-restore.ts';
import { type Action, actions } from './actions.ts';
import type { DecisionTerms } from './decision-requests.ts';
import { findDraft, saveDraft } from './drafts.ts';

/** One submit button of the form. */
export interface SubmitOption {
  /** The label of the button. */
  readonly label: string;
  /** The label of the reason if one is required; undefined if it is optional. */
  readonly reasonPrompt: string | undefined;
  readonly send: (terms: DecisionTerms) => void;
}

interface DecisionFormProps {
  readonly action: Action;
  /** The versions: `left-pad 1.3.0`, `12 versions`. */
  readonly what: string;
  /** The key of the draft, which stays until the decision is made. */
  readonly draft: string;
  /** The issues that an approval overrides, in sentences. */
  readonly overrides: readonly string[];
  /** Enter presses the first button. */
  readonly options: readonly [SubmitOption, ...SubmitOption[]];
  readonly isSending?: boolean;
  readonly cancel: () => void;
  /** A note below the title. */
  readonly note?: string | undefined;
  /** Further facts above the reason. */
  readonly children?: ComponentChildren;
}

const expiryChoices: readonly (readonly [days: string, meaning: string])[] = [
  ['', 'registry default'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['180', 'in 180 days'],
  ['365', 'in 1 year'],
];

const ExpiryField = ({ end }: { readonly end: string }) => (
  <label>
    Approval expires
    <select name="end">
      {expiryChoices.map(([days, meaning]) => (
        <option key={days} value={days} selected={days === end}>
          {meaning}
        </option>
      ))}
    </select>
  </label>
);

const defaultDays = 180;
const maxDays = 1825;

const toDay = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** The date when a renewed approval expires. */
const ExpiryDateField = ({ end }: { readonly end: string }) => (
  <label>
    New expiry date
    <input
      type="date"
      name="until"
      required
      min={toDay(1)}
      max={toDay(maxDays)}
      defaultValue={end || toDay(defaultDays)}
    />
  </label>
);

/** Returns the expiry of the approval from the form. */
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

/** The form for the reason and the expiry of a decision. */
export const DecisionForm = (props: DecisionFormProps) => {
  const {
    action,
    what,
    draft,
    overrides,
    options,
    isSending = false,
    cancel,
    note,
    children,
  } = props;
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
        <ul class="overrides" aria-label="Overridden issues">
          {overrides.map((issue) => (
            <li key={issue}>
              <Text text={issue} />
            </li>
          ))}
        </ul>
      )}
      {children}
      <label>
        <span>
          {first.reasonPrompt ?? 'Reason'}{' '}
          {!first.reasonPrompt && (
            <span class="muted">
              {others.some((way) => way.reasonPrompt) ? 'required to override' : 'optional'}
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
