/** Hash algorithms in lockfiles, weakest first, with their length in bytes. */
const lengths = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 } as const;

export type HashAlgorithm = keyof typeof lengths;

export const hashAlgorithms = Object.keys(lengths) as readonly HashAlgorithm[];

/** Hash of one file of a package version. */
export interface FileHash {
  readonly algorithm: HashAlgorithm;
  /** Lower-case hexadecimal digits. */
  readonly hex: string;
}

const toHex = (base64: string): string =>
  Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');

const readDigits = (text: string): [algorithm: string, hex: string] | undefined => {
  const [, inHex, hex] = /^([a-z\d-]+):([\da-f]+)$/i.exec(text) ?? [];
  if (inHex !== undefined && hex !== undefined) return [inHex.replace('-', ''), hex];
  // `atob` throws for incomplete padding, so padding is complete or absent.
  const [, algorithm, base64] =
    /^(sha\d+)-((?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}(?:==)?|[a-z\d+/]{3}=?)?)$/i.exec(text) ?? [];
  return algorithm === undefined || base64 === undefined ? undefined : [algorithm, toHex(base64)];
};

/** Maximum length of a hash as text. */
const longest = 160;

/**
 * Parses a hash in the notation of lockfiles: `sha512-BASE64` as in npm (SRI), `sha256:HEX` as in Python, `SHA-1:HEX`.
 * @returns undefined if the text is no hash of a supported algorithm
 */
export const parseFileHash = (text: string): FileHash | undefined => {
  if (text.length > longest) return undefined;
  const [named = '', digits = ''] = readDigits(text) ?? [];
  const algorithm = hashAlgorithms.find((one) => one === named.toLowerCase());
  return algorithm && digits.length === 2 * lengths[algorithm]
    ? { algorithm, hex: digits.toLowerCase() }
    : undefined;
};

/** Returns the hashes in an integrity text, such as `sha512-BASE64`; npm separates several by blanks. Other words are left out. */
export const parseFileHashes = (text: string): FileHash[] =>
  text.split(/\s+/).flatMap((one) => parseFileHash(one) ?? []);
