/** Moves the focus to the list row of a version, and scrolls to it. */
export const focusRow = (key: string): void => {
  const row = [...document.querySelectorAll<HTMLElement>('[data-key]')].find(
    ({ dataset }) => dataset['key'] === key,
  );
  row?.querySelector('a')?.focus();
};
