/** Returns the key handler of forms. Enter submits, Shift+Enter adds a line, Escape cancels. */
export const formKeys =
  (cancel: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      cancel();
    }
    const isSent = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
    if (!isSent || !(event.target instanceof HTMLTextAreaElement)) return;
    event.preventDefault();
    // A held key submits once.
    if (!event.repeat) event.target.form?.requestSubmit();
  };
