/** Says of a file that asks for packages why it says too little by itself. */
export const withoutLockfile =
  'No lockfile beside or above it was checked. So the packages that it asks for were not checked.';
