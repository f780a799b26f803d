interface Encoding {
  readonly mark: readonly number[];
  readonly encode: (text: string) => Buffer;
}

const toUtf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const toUtf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

/** Encodings of dependency files by byte order mark. The last one has none. */
const encodings: readonly Encoding[] = [
  { mark: [0xff, 0xfe], encode: toUtf16 },
  { mark: [0xfe, 0xff], encode: (text) => toUtf16(text).swap16() },
  { mark: [0xef, 0xbb, 0xbf], encode: toUtf8 },
  { mark: [], encode: toUtf8 },
];

/**
 * Encodes a text as the file from which an earlier text was decoded.
 * @returns undefined if the earlier text does not give the bytes of the file
 */
export const encodeAs = (
  file: Uint8Array,
  earlier: string,
  text: string,
): Uint8Array | undefined => {
  const used = encodings.find(({ mark }) => mark.every((byte, at) => file[at] === byte));
  if (!used) return undefined;
  const write = (some: string): Buffer =>
    Buffer.concat([Buffer.from(used.mark), used.encode(some)]);
  return write(earlier).equals(file) ? write(text) : undefined;
};
