/** Path of the keys with which a registry of npm signs versions, as npm and pnpm request it. */
export const keysPath = '-/npm/v1/keys';

/** Returns the path of the attestations of a version, as npm's registry has it. */
export const toAttestationsPath = (name: string, version: string): string =>
  `-/npm/v1/attestations/${name}@${version}`;
