/** Limit of names in a sentence, so that the sentence stays readable. */
const mostNamed = 10;

/** Returns the first ten names for a sentence, and the number of the remaining names. */
export const listFirst = (names: readonly string[]): string => {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};
