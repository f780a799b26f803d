/** Message for a file that requires packages and has no lockfile. */
export const withoutLockfile =
  'No lockfile beside or above it was checked. So the packages that it asks for were not checked.';
