/** Returns the line, counted from 1, of an offset in a text. */
export type LineFinder = (offset: number) => number;

/** Returns a line finder for a text. Each lookup is a binary search over the line ends. */
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
