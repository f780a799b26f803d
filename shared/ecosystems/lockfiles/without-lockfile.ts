/**
 * Returns the message for a file that requires packages and has no lockfile.
 * @param command creates the lockfile
 */
export const explainMissingLockfile = (command: string): string =>
  `There is no lockfile beside or above it, so its packages were not checked. Create one: ${command}.`;
