import type { ComponentChildren } from 'preact';

interface FormActionsProps {
  readonly isSending?: boolean;
  readonly cancel: () => void;
  /** What the form does. */
  readonly children: ComponentChildren;
  /** What it can do instead: the buttons have their numbers from 1 as values. */
  readonly others?: readonly string[];
}

/** How a form is sent, and how it is left. */
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
