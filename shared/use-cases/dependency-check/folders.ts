/** Returns the folder of a path, without a slash at its end; the empty text for a file that no folder is named of. */
export const folderOf = (path: string): string =>
  path.replaceAll('\\', '/').split('/').slice(0, -1).join('/');

/** True if a file lies in the folder of another one, or in a folder above that. Both paths begin at the same folder. */
export const isBesideOrAbove = (file: string, other: string): boolean => {
  const folder = folderOf(file);
  return folder === '' || `${folderOf(other)}/`.startsWith(`${folder}/`);
};
