/** A part of an address without its percent-encoding; as it is, where it is none. */
export const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
