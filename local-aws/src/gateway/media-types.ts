/** Binary media types of an API. */

/** Returns the media type without parameters, in lower case: `text/html` for `Text/HTML; charset=utf-8`. */
const stripParameters = (mediaType: string): string =>
  (mediaType.split(';')[0] ?? '').trim().toLowerCase();

/** True if the media type is one of the API's binary types, which may be `image/*` or the wildcard for all types. */
export const isBinary = (
  mediaType: string | undefined,
  binaryMediaTypes: readonly string[],
): boolean => {
  const actual = stripParameters(mediaType ?? '');
  const [family = ''] = actual.split('/');
  return [actual, `${family}/*`, '*/*'].some((candidate) => binaryMediaTypes.includes(candidate));
};
