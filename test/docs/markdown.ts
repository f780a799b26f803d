/** Removes the blocks of code of a page. */
export const dropCode = (markdown: string): string => markdown.replace(/^ *```.*?^ *```$/gms, '');

/** Turns a heading into the anchor that GitHub gives it. */
export const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
