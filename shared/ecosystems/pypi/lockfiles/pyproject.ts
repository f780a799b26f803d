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
import { withoutLockfile } from '../../lockfiles/without-lockfile.ts';
import { readRequirement } from './requirement.ts';

/** Whether uv, Poetry or PDM are told to install the dependencies of the project, and not the project itself. */
const isNeverInstalled = (project: SyntaxNode): boolean =>
  textAt(project, 'tool', 'uv', 'package') === 'false' ||
  textAt(project, 'tool', 'poetry', 'package-mode') === 'false' ||
  textAt(project, 'tool', 'pdm', 'distribution') === 'false';

/** The fields of `[project]` that a build backend fills in with packages. */
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

/** What uv and pip require for the build of a project without a `[build-system]`. Source: `DEFAULT_BACKEND` of uv 0.13. */
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

/** Returns the first line of each quoted text from the heading of a table on. The parser does not say where texts are. */
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

/** What uv builds though it builds nothing else. Source: `BuildOptions::no_build_package` of uv. */
const readOnlyWheels = (project: SyntaxNode): Builds['onlyWheels'] => {
  if (textAt(project, 'tool', 'uv', 'no-build') !== 'true') return undefined;
  const names = itemsAt(project, 'tool', 'uv', 'no-binary-package');
  return { except: names.flatMap((name) => textOf(name) ?? []) };
};

/** Reads what the build of a project requires. What the project itself asks for is in its lockfile. */
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
    ...(isAsking(project) && { incomplete: withoutLockfile }),
  };
};

export const pyproject: FormatReader = {
  format: 'pyproject.toml',
  named: /(?:^|\/)pyproject\.toml$/,
  read,
};
