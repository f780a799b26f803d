/**
 * Returns what every form does with keys: Enter sends it, also from a field of several lines, where Shift and Enter begin a
 * new line, and Escape leaves it.
 */
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
    // A held key sends once: nobody has read what follows yet.
    if (!event.repeat) event.target.form?.requestSubmit();
  };
