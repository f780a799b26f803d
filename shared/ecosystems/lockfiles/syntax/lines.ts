/** Finds the line, from 1, that a place in a text is in. */
export type LineFinder = (offset: number) => number;

/** Prepares for asking at which line many places of one text are. */
export const prepareLines = (text: string): LineFinder => {
  const ends: number[] = [];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
};
