import type { Builds } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { cleanText, type Found, gather } from '../../lockfiles/gather.ts';
import {
  findAt,
  itemsAt,
  membersAt,
  membersOf,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { parseTomlTree } from '../../lockfiles/syntax/toml.ts';
import { explainMissingLockfile } from '../../lockfiles/without-lockfile.ts';
import { readRequirement } from './requirement.ts';

/** True if the settings of uv, Poetry or PDM exclude the project itself from installation. */
const isNeverInstalled = (project: SyntaxNode): boolean =>
  textAt(project, 'tool', 'uv', 'package') === 'false' ||
  textAt(project, 'tool', 'poetry', 'package-mode') === 'false' ||
  textAt(project, 'tool', 'pdm', 'distribution') === 'false';

/** Dynamic fields of `[project]` that a build backend fills with packages. */
const dynamicAsks: ReadonlySet<string | undefined> = new Set([
  'dependencies',
  'optional-dependencies',
]);

const isAsking = (project: SyntaxNode): boolean => {
  const poetry = findAt(project, 'tool', 'poetry');
  const groups = [...membersAt(poetry, 'group').values()];
  const environments = [...membersAt(project, 'tool', 'hatch', 'envs').values()];
  return [
    itemsAt(project, 'project', 'dependencies'),
    itemsAt(project, 'tool', 'uv', 'dev-dependencies'),
    [...membersAt(project, 'project', 'optional-dependencies').keys()],
    itemsAt(project, 'project', 'dynamic').filter((field) => dynamicAsks.has(textOf(field))),
    [...membersAt(project, 'dependency-groups').keys()],
    itemsAt(project, 'tool', 'flit', 'metadata', 'requires'),
    environments.flatMap((environment) => [
      ...itemsAt(environment, 'dependencies'),
      ...itemsAt(environment, 'extra-dependencies'),
    ]),
    [...membersAt(project, 'tool', 'pdm', 'dev-dependencies').keys()],
    [...membersAt(poetry, 'dependencies').keys()].filter((name) => name !== 'python'),
    [...membersAt(poetry, 'dev-dependencies').keys()],
    groups.flatMap((group) => [...membersOf(findAt(group, 'dependencies')).keys()]),
  ].some((asked) => asked.length > 0);
};

/**
 * Returns a build requirement that pins one version or has a source outside the registry. Ranges appear only in the
 * list of build requirements.
 */
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

/** Packages that build backends require at run time: Hatchling's for an editable install, which uv performs. */
const askedByBackends: ReadonlyMap<string, string> = new Map([['hatchling', 'editables']]);

/** Build requirements of a project without `[build-system]`, in uv and pip. Source: `DEFAULT_BACKEND` of uv 0.13. */
const defaultRequires = ['setuptools>=40.8.0'];

const listRequires = (project: SyntaxNode): readonly string[] => {
  if (isNeverInstalled(project)) return [];
  if (findAt(project, 'build-system') === undefined) {
    return textAt(project, 'tool', 'uv', 'package') === 'true' ? defaultRequires : [];
  }
  const written = itemsAt(project, 'build-system', 'requires').flatMap((one) => textOf(one) ?? []);
  const names = new Set(written.map((one) => /^[\w.-]+/.exec(one)?.[0].toLowerCase() ?? ''));
  const asked = [...askedByBackends].flatMap(([backend, name]) =>
    names.has(backend) && !names.has(name) ? name : [],
  );
  return [...written, ...asked];
};

const quoted = /"([^"]*)"|'([^']*)'/g;

/** Returns the first line of each quoted text after a table's heading. The TOML parser reports no text positions. */
const findLines = (text: string, heading: string): ReadonlyMap<string, number> => {
  const lines = text.split('\n');
  const start = Math.max(
    lines.findIndex((line) => line.trim().startsWith(heading)),
    0,
  );
  const found = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    if (at < start) continue;
    for (const [, double, single = ''] of line.matchAll(quoted)) {
      const one = (double ?? single).trim();
      if (!found.has(one)) found.set(one, at + 1);
    }
  }
  return found;
};

/** Returns the packages that uv builds despite `no-build`. Source: `BuildOptions::no_build_package` of uv. */
const readOnlyWheels = (project: SyntaxNode): Builds['onlyWheels'] => {
  if (textAt(project, 'tool', 'uv', 'no-build') !== 'true') return undefined;
  const names = itemsAt(project, 'tool', 'uv', 'no-binary-package');
  return { except: names.flatMap((name) => textOf(name) ?? []) };
};

/** Returns the build requirements of a project. The project's own dependencies are in its lockfile. */
const read = (text: string): Contents => {
  const project = parseTomlTree(text);
  const requires = listRequires(project);
  const onlyWheels = readOnlyWheels(project);
  const lines = findLines(text, '[build-system]');
  const own = textAt(project, 'project', 'name') ?? textAt(project, 'tool', 'poetry', 'name');
  return {
    ...gather(
      requires.flatMap((one) => toFound(one, lines.get(one))),
      own === undefined ? [] : [own],
    ),
    builds: {
      ...{ packages: [], mayBeMore: false, requires: requires.map(cleanText) },
      ...(onlyWheels && { onlyWheels }),
    },
    ...(isAsking(project) && { incomplete: explainMissingLockfile('uv lock, or poetry lock') }),
  };
};

export const pyproject: FormatReader = {
  format: 'pyproject.toml',
  named: /(?:^|\/)pyproject\.toml$/,
  read,
};
