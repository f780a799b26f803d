/** More names would hide what a sentence says. */
const mostNamed = 10;

/** Returns the first names for a sentence, and how many more there are. */
export const listFirst = (names: readonly string[]): string => {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])].join(', ');
};
