import type { ComponentChildren } from 'preact';

interface FormActionsProps {
  readonly isSending?: boolean;
  readonly cancel: () => void;
  /** The label of the submit button. */
  readonly children: ComponentChildren;
  /** The labels of further submit buttons, whose values count from 1. */
  readonly others?: readonly string[];
}

/** The submit and cancel buttons of a form. */
export const FormActions = (props: FormActionsProps) => {
  const { isSending = false, cancel, children, others = [] } = props;
  return (
    <p class="actions">
      <button type="submit" class="primary" value={0} disabled={isSending}>
        {children}
      </button>
      {others.map((label, at) => (
        <button key={label} type="submit" value={at + 1} disabled={isSending}>
          {label}
        </button>
      ))}
      <button type="button" onClick={cancel}>
        Cancel <kbd>Esc</kbd>
      </button>
    </p>
  );
};
