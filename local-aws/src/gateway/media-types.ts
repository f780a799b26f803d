/** Which bodies API Gateway treats as binary. */

/** The type without its parameters, in lower case: `text/html` of `Text/HTML; charset=utf-8`. */
const stripParameters = (mediaType: string): string =>
  (mediaType.split(';')[0] ?? '').trim().toLowerCase();

/** Whether a media type is one of the API's binary ones, which may be `image/*` or any type at all. */
export const isBinary = (
  mediaType: string | undefined,
  binaryMediaTypes: readonly string[],
): boolean => {
  const actual = stripParameters(mediaType ?? '');
  const [family = ''] = actual.split('/');
  return [actual, `${family}/*`, '*/*'].some((candidate) => binaryMediaTypes.includes(candidate));
};
