import { checksumAlgorithms } from '../../util/checksums.ts';
import { type Coordinates, nameFile } from './coordinates.ts';

/** Matches the end of a file name after artifact and version: an optional classifier and the extension. */
const fileEnd = /^(?:-[\w.+~-]+)?\.[\w.+~-]+$/;

const signatureEnd = /\.(?:asc|sig|sigstore|sigstore\.json)$/;

/** True if a file name begins with artifact and version, as Maven requires for files of the version. */
export const isVersionFile = (coordinates: Coordinates, name: string): boolean => {
  const start = nameFile(coordinates, '');
  return name.startsWith(start) && fileEnd.test(name.slice(start.length));
};

/** Returns the name of the file that a signature signs; any other name unchanged. */
export const dropSignature = (name: string): string => name.replace(signatureEnd, '');

/** True if a file is a checksum or a signature of another file. */
export const isBesideFile = (name: string): boolean =>
  signatureEnd.test(name) || checksumAlgorithms.some((one) => name.endsWith(`.${one}`));
