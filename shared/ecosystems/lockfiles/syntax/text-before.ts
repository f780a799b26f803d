/** The text before a mark; all of it where there is none. A pattern would search anew from each place of the mark. */
export const cutBefore = (text: string, mark: string): string => {
  const at = text.indexOf(mark);
  return at < 0 ? text : text.slice(0, at);
};

/** The text after a mark; none where there is none. */
export const cutAfter = (text: string, mark: string): string => {
  const at = text.indexOf(mark);
  return at < 0 ? '' : text.slice(at + mark.length);
};
