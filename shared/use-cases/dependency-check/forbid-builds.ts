import { canonicalizeName } from '../../domain/packages/package-name.ts';
import type { Builds } from '../../ecosystems/lockfiles/dependency-file.ts';
import type { ProjectFile } from './findings.ts';
import { folderOf } from './folders.ts';

const nameOf = (label: string): string =>
  canonicalizeName('pypi', label.slice(0, label.lastIndexOf('@')));

/** True for the lockfile of a script, whose settings are in the script itself. */
const isOfScript = ({ path }: ProjectFile): boolean => path.endsWith('.py.lock');

/** Returns the build settings beside a lockfile. uv ignores the settings of other members of a workspace. */
const findSettings = (
  { path }: ProjectFile,
  files: readonly ProjectFile[],
): Builds['onlyWheels'] | undefined =>
  files.find(
    ({ path: other, content }) =>
      content?.format === 'pyproject.toml' && folderOf(other) === folderOf(path),
  )?.content?.builds?.onlyWheels;

/**
 * Removes from each `uv.lock` the builds that `no-build` of the `pyproject.toml` beside it forbids. uv refuses to install
 * such packages, so their builds install nothing.
 */
export const forbidBuilds = (files: readonly ProjectFile[]): readonly ProjectFile[] =>
  files.map((file) => {
    const { content } = file;
    if (content?.format !== 'uv.lock' || !content.builds || isOfScript(file)) return file;
    const onlyWheels = findSettings(file, files);
    if (!onlyWheels) return file;
    const except = new Set(onlyWheels.except.map((name) => canonicalizeName('pypi', name)));
    const packages = content.builds.packages.filter((label) => except.has(nameOf(label)));
    return { ...file, content: { ...content, builds: { ...content.builds, packages } } };
  });
