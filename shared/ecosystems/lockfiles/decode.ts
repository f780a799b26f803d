import { UnreadableDependencyFileError } from './dependency-file.ts';

/** Encodings by the marks that files of them begin with. UTF-32 begins as UTF-16 does, and comes before it. */
const marks = [
  { bytes: [0xff, 0xfe, 0, 0], encoding: undefined },
  { bytes: [0, 0, 0xfe, 0xff], encoding: undefined },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
] as const;

/** In these, every byte below 128 is what it is in UTF-8, so that nothing can hide. */
const singleBytes =
  /^<\?xml\s[^>]{0,100}?encoding\s*=\s*["'](?:iso-8859-(?:1|15)|windows-1252)["']/i;

const findEncoding = (bytes: Uint8Array): string | undefined => {
  const mark = marks.find((one) => one.bytes.every((byte, at) => bytes[at] === byte));
  if (mark) return mark.encoding;
  const start = String.fromCharCode(...bytes.subarray(0, 200));
  return singleBytes.test(start) ? 'windows-1252' : 'utf-8';
};

/**
 * Returns the text of a file of dependencies: UTF-8, or UTF-16 with a byte order mark as PowerShell writes it, or XML
 * that names its encoding of Western Europe. Any other text might be something else for the tool that installs it.
 * @throws {UnreadableDependencyFileError} if it is encoded otherwise
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
