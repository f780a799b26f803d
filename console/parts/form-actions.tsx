import type { ComponentChildren } from 'preact';

interface FormActionsProps {
  readonly isSending?: boolean;
  readonly cancel: () => void;
  /** What the form does. */
  readonly children: ComponentChildren;
}

/** How a form is sent, and how it is left. */
export const FormActions = ({ isSending = false, cancel, children }: FormActionsProps) => (
  <p class="actions">
    <button type="submit" class="primary" disabled={isSending}>
      {children}
    </button>
    <button type="button" onClick={cancel}>
      Cancel <kbd>Esc</kbd>
    </button>
  </p>
);
