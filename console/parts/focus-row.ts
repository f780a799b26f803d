/** Moves the focus to the row of a version in a list, which brings it into sight. */
export const focusRow = (key: string): void => {
  const row = [...document.querySelectorAll<HTMLElement>('[data-key]')].find(
    ({ dataset }) => dataset['key'] === key,
  );
  row?.querySelector('a')?.focus();
};
