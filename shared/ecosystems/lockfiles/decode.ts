import { UnreadableDependencyFileError } from './dependency-file.ts';

/** Encodings by byte order mark. UTF-32 comes first, because its mark begins with the mark of UTF-16. */
const marks = [
  { bytes: [0xff, 0xfe, 0, 0], encoding: undefined },
  { bytes: [0, 0, 0xfe, 0xff], encoding: undefined },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** XML declarations of single-byte encodings. In these, bytes below 128 mean the same as in UTF-8. */
const singleBytes =
  /^<\?xml\s[^>]{0,100}?encoding\s*=\s*["'](?:iso-8859-(?:1|15)|windows-1252)["']/i;

const findEncoding = (bytes: Uint8Array): string | undefined => {
  const mark = marks.find((one) => one.bytes.every((byte, at) => bytes[at] === byte));
  if (mark) return mark.encoding;
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  return singleBytes.test(start) ? 'windows-1252' : 'utf-8';
};

/**
 * Returns the decoded text of a dependency file. Accepts UTF-8, UTF-16 with a byte order mark (as PowerShell writes
 * it), and XML that declares a Western European encoding. The installing tool might decode any other bytes differently.
 * @throws {UnreadableDependencyFileError} if the file has another encoding
 */
export const decodeDependencyFile = (bytes: Uint8Array): string => {
  const encoding = findEncoding(bytes);
  try {
    if (encoding !== undefined) return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new UnreadableDependencyFileError('It is no text in UTF-8. Write the file as UTF-8.');
};
