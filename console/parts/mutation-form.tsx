import type { ComponentChildren, RefObject } from 'preact';
import { useMutation } from '../api/use-mutation.ts';
import { FormActions } from './form-actions.tsx';
import { formKeys } from './form-keys.ts';
import { ErrorMessage } from './placeholders.tsx';
import { useFocusRestore } from './use-focus-restore.ts';

interface MutationFormProps {
  /** The name of the form for screen readers. */
  readonly label: string;
  /** The field that has the focus first. */
  readonly field: RefObject<HTMLElement | null>;
  /** Sends the request of the form, and closes it. */
  readonly submit: (form: HTMLFormElement) => Promise<void>;
  readonly cancel: () => void;
  /** The label of the submit button. */
  readonly action: ComponentChildren;
  readonly onInput?: () => void;
  readonly children: ComponentChildren;
}

/** A form that sends one request. It shows a refusal above its buttons, and keeps what was typed. */
export const MutationForm = (props: MutationFormProps) => {
  const { label, field, submit, cancel, action, onInput, children } = props;
  const { isSending, error, send } = useMutation();
  useFocusRestore(field);
  return (
    <form
      class="decision-form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        send(() => submit(form));
      }}
      onInput={onInput}
      onKeyDown={formKeys(cancel)}
      aria-label={label}
    >
      {children}
      {error && <ErrorMessage error={error} />}
      <FormActions isSending={isSending} cancel={cancel}>
        {action}
      </FormActions>
    </form>
  );
};
