/** Writes JSON in which the control characters that JSON leaves as they are, and a terminal would obey, are escaped. */
export const formatJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
