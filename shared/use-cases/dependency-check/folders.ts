/** Returns the folder of a path, without a trailing slash; the empty text for a path without a folder. */
export const folderOf = (path: string): string =>
  path.replaceAll('\\', '/').split('/').slice(0, -1).join('/');

/** True if `file` is in the folder of `other`, or in a parent folder. Both paths are relative to the same folder. */
export const isBesideOrAbove = (file: string, other: string): boolean => {
  const folder = folderOf(file);
  return folder === '' || `${folderOf(other)}/`.startsWith(`${folder}/`);
};
