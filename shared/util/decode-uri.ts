/** Returns a percent-decoded part of a URL, or the text unchanged if its encoding is malformed. */
export const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
