import { checksumAlgorithms } from '../../util/checksums.ts';
import { type Coordinates, nameFile } from './coordinates.ts';

/** The part of a file name behind artifact and version: a classifier or not, and the extension. */
const fileEnd = /^(?:-[\w.+~-]+)?\.[\w.+~-]+$/;

const signatureEnd = /\.(?:asc|sig|sigstore|sigstore\.json)$/;

/** Whether a file in the folder of a version is named as one of its files. */
export const isVersionFile = (coordinates: Coordinates, name: string): boolean => {
  const start = nameFile(coordinates, '');
  return name.startsWith(start) && fileEnd.test(name.slice(start.length));
};

/** Returns the name of the file that a signature signs; any other name as it is. */
export const dropSignature = (name: string): string => name.replace(signatureEnd, '');

/** Whether a file is a checksum or a signature of another one. */
export const isBesideFile = (name: string): boolean =>
  signatureEnd.test(name) || checksumAlgorithms.some((one) => name.endsWith(`.${one}`));
