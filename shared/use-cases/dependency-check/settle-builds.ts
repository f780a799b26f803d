import { canonicalizeName } from '../../domain/packages/package-name.ts';
import type { Dependency, DependencyFormat } from '../../ecosystems/lockfiles/dependency-file.ts';
import { listFirst } from '../../ecosystems/lockfiles/list-first.ts';
import { readRequirement } from '../../ecosystems/pypi/lockfiles/requirement.ts';
import type { ProjectFile } from './findings.ts';
import { isBesideOrAbove } from './folders.ts';
import { isBuildList, isLocked } from './locks.ts';

/** Formats of files that pin the dependencies of a pyproject.toml. */
const locks: readonly DependencyFormat[] = [
  ...(['uv.lock', 'poetry.lock', 'pdm.lock', 'Pipfile.lock', 'pylock.toml'] as const),
  ...(['requirements.txt', 'cyclonedx', 'spdx'] as const),
];

const howToList =
  'approved, and list it beside this file: uv pip compile --generate-hashes build-requirements.in -o build-requirements.txt';

const explainPackages = (packages: readonly string[]): string =>
  `It has no wheel of ${listFirst(packages)}, so that this is built from source. A build installs more, such as setuptools, which no lockfile lists. Prefer versions with a wheel, and forbid builds (pip --only-binary :all:, or no-build = true in [tool.uv] beside a uv.lock). Or have what the builds require ${howToList}`;

const explainRequires = (requires: readonly string[]): string =>
  `Its build requires ${listFirst(requires)}, and no checked list has these packages and their dependencies. uv sync, pip install and the like install it to build the project itself. Have it ${howToList}`;

const mayBeBuilt =
  'It does not say which packages have no wheel and are built from source, for which further packages are installed. With --only-binary :all: nothing is built (pip and uv read it in a requirements.txt).';

/** Returns the pins of all complete lists of build requirements beside or above a file; undefined without such pins. */
const findBuildPins = (
  path: string,
  files: readonly ProjectFile[],
): readonly Dependency[] | undefined => {
  const pins = files
    .filter((one) => isBuildList(one.path) && isBesideOrAbove(one.path, path))
    .flatMap(({ content }) =>
      content?.incomplete === undefined ? (content?.dependencies ?? []) : [],
    );
  return pins.length > 0 ? pins : undefined;
};

const nameOf = (requirement: string): string | undefined => {
  const read = readRequirement(requirement);
  return 'name' in read && read.name !== undefined
    ? canonicalizeName('pypi', read.name)
    : undefined;
};

/**
 * Returns a text on build requirements of a file that no list contains. Any list of build requirements is assumed to be
 * complete for packages.
 */
const explainBuilds = (file: ProjectFile, files: readonly ProjectFile[]): string | undefined => {
  const { packages = [], requires = [] } = file.content?.builds ?? {};
  const listed = findBuildPins(file.path, files);
  const names = new Set(listed?.map(({ name }) => name));
  const missing = requires.filter((one) => !names.has(nameOf(one) ?? ''));
  if (missing.length > 0) return explainRequires(missing);
  return packages.length > 0 && !listed ? explainPackages(packages) : undefined;
};

const isPinned = ({ path }: ProjectFile, files: readonly ProjectFile[]): boolean =>
  isLocked(
    path,
    locks,
    files.map((file) => ({ path: file.path, format: file.content?.format })),
  );

/** Returns why a file is incomplete; undefined for a pyproject.toml whose lockfile is checked too. */
const explainItself = (file: ProjectFile, files: readonly ProjectFile[]): string | undefined => {
  const { format, incomplete } = file.content ?? {};
  return format === 'pyproject.toml' && isPinned(file, files) ? undefined : incomplete;
};

/**
 * Returns the files with warnings on Python build requirements that no checked file lists. A `build-requirements.txt`
 * lists them for its folder and all subfolders. A `pyproject.toml` has its versions in a lockfile beside or above it.
 */
export const settleBuilds = (files: readonly ProjectFile[]): readonly ProjectFile[] =>
  files.map((file) => {
    const { content } = file;
    if (!content?.builds) return file;
    const reasons = [explainItself(file, files), explainBuilds(file, files)];
    const incomplete = reasons.filter((one) => one !== undefined).join(' ') || undefined;
    const isOpen = content.builds.mayBeMore && incomplete === undefined;
    const isListed = isBuildList(file.path) || findBuildPins(file.path, files) !== undefined;
    const note = isOpen && !isListed ? mayBeBuilt : content.note;
    return { ...file, content: { ...content, incomplete, note } };
  });
