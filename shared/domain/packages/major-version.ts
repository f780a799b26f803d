import { type Ecosystem, isFileEcosystem } from '../../ecosystems/ecosystem.ts';

/** Returns the first number of a version without leading zeros; undefined if it has none, and for tags of images. */
export const findMajor = (ecosystem: Ecosystem, version: string): string | undefined =>
  isFileEcosystem(ecosystem) ? /\d+/.exec(version)?.[0].replace(/^0+(?=\d)/, '') : undefined;
