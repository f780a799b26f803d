import type { Contents, FormatReader } from '../format-reader.ts';
import { cleanText, type Found, gather } from '../gather.ts';
import { parseTomlTree } from '../syntax/toml.ts';
import {
  findAt,
  itemsAt,
  membersAt,
  membersOf,
  type Tree,
  textAt,
  textOf,
} from '../syntax/tree.ts';
import { readRequirement } from './requirement.ts';

/** Why a file that asks for packages says too little by itself. */
export const withoutLockfile =
  'It has no lockfile beside or above it that was checked, so that what it asks for was not either.';

/** Whether uv, Poetry or PDM are told to install the dependencies of the project, and not the project itself. */
const isNeverInstalled = (project: Tree): boolean =>
  textAt(project, 'tool', 'uv', 'package') === 'false' ||
  textAt(project, 'tool', 'poetry', 'package-mode') === 'false' ||
  textAt(project, 'tool', 'pdm', 'distribution') === 'false';

const isAsking = (project: Tree): boolean => {
  const poetry = findAt(project, 'tool', 'poetry');
  const groups = [...membersAt(poetry, 'group').values()];
  return [
    itemsAt(project, 'project', 'dependencies'),
    itemsAt(project, 'tool', 'uv', 'dev-dependencies'),
    [...membersAt(project, 'project', 'optional-dependencies').keys()],
    [...membersAt(project, 'dependency-groups').keys()],
    [...membersAt(project, 'tool', 'pdm', 'dev-dependencies').keys()],
    [...membersAt(poetry, 'dependencies').keys()].filter((name) => name !== 'python'),
    [...membersAt(poetry, 'dev-dependencies').keys()],
    groups.flatMap((group) => [...membersOf(findAt(group, 'dependencies')).keys()]),
  ].some((asked) => asked.length > 0);
};

/** What a build requirement names: one version, or what comes from no registry. Ranges are for the list of build requirements. */
const toFound = (text: string, line: number | undefined): Found[] => {
  const read = readRequirement(text);
  if (read.kind === 'pinned') {
    const { name, version } = read;
    return [{ ecosystem: 'pypi', name, version, line, through: [] }];
  }
  if (read.kind === 'setting') return [{ text, reason: 'unreadable', line }];
  const isOpen = read.reason === 'range' || read.reason === 'no_version';
  return isOpen ? [] : [{ text, reason: read.reason, line }];
};

/** What a build backend asks for by itself when it runs: Hatchling for an editable install, as uv makes one. */
const askedByBackends: ReadonlyMap<string, string> = new Map([['hatchling', 'editables']]);

const listRequires = (project: Tree): readonly string[] => {
  if (isNeverInstalled(project)) return [];
  const written = itemsAt(project, 'build-system', 'requires').flatMap((one) => textOf(one) ?? []);
  const names = written.map((one) => /^[\w.-]+/.exec(one)?.[0].toLowerCase() ?? '');
  const asked = names.flatMap((name) => askedByBackends.get(name) ?? []);
  return [...written, ...asked.filter((name) => !names.includes(name))];
};

/** Reads what the build of a project requires. What the project itself asks for is in its lockfile. */
const read = (text: string): Contents => {
  const project = parseTomlTree(text);
  const requires = listRequires(project);
  const lines = text.split('\n');
  const findLine = (requirement: string): number | undefined => {
    const at = lines.findIndex((line) => line.includes(requirement));
    return at < 0 ? undefined : at + 1;
  };
  const own = textAt(project, 'project', 'name') ?? textAt(project, 'tool', 'poetry', 'name');
  return {
    ...gather(
      requires.flatMap((one) => toFound(one, findLine(one))),
      own === undefined ? [] : [own],
    ),
    builds: { packages: [], mayBeMore: false, requires: requires.map(cleanText) },
    ...(isAsking(project) && { incomplete: withoutLockfile }),
  };
};

export const pyproject: FormatReader = {
  format: 'pyproject.toml',
  named: /(?:^|\/)pyproject\.toml$/,
  read,
};
