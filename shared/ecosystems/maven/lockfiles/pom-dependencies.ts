import { readAt, readTextAt } from '../../../util/json.ts';
import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { cleanText, type Found, gather } from '../../lockfiles/gather.ts';
import { prepareLines } from '../../lockfiles/syntax/lines.ts';
import {
  findOffset,
  type PomLine,
  parsePom,
  readElements,
  readOwn,
  resolveProperties,
} from '../manifest/pom.ts';
import { explainPom, listPlugins, type Named } from './pom-build.ts';

/** Accepted encodings. In others, Maven could read text where this parser reads markup. */
const readableEncoding =
  /^(?:utf-?8|utf-16(?:le|be)?|us-ascii|ascii|iso-8859-(?:1|15)|windows-1252)$/i;

const checkEncoding = (text: string): void => {
  const [, encoding] = /^<\?xml\s[^>]{0,100}?encoding\s*=\s*["']([^"']*)["']/.exec(text) ?? [];
  if (encoding === undefined || readableEncoding.test(encoding)) return;
  throw new UnreadableDependencyFileError(
    `It is a POM in the encoding ${encoding.slice(0, 40)}, which is not read. Write it in UTF-8.`,
  );
};

const parse = (text: string): unknown => {
  checkEncoding(text);
  try {
    return parsePom(text);
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split(/\.?(?:\n|$)/, 1) : [];
    throw new UnreadableDependencyFileError(`It is no valid POM: ${reason}. Try mvn validate`);
  }
};

const resolve = ({ element, line }: Named, field: string): string | undefined =>
  resolveProperties(line, readTextAt(element, field));

const nameOf = (named: Named): string | undefined => {
  const [group, artifact] = [resolve(named, 'groupId'), resolve(named, 'artifactId')];
  return group && artifact && `${group}:${artifact}`;
};

/** Returns the coordinates as the POM writes them, with unresolved properties. */
const textOf = ({ element }: Named): string =>
  ['groupId', 'artifactId', 'version']
    .flatMap((field) => readTextAt(element, field) ?? [])
    .join(':');

/** Returns the project and its profiles. Declarations in a profile may use properties of the profile. */
const listScopes = (project: unknown): Named[] => [
  { element: project, line: [project] },
  ...readElements(project, 'profiles', 'profile').map(
    (profile): Named => ({
      element: profile,
      line: [profile, project, readAt(project, 'parent')],
    }),
  ),
];

const listDeclared = ({ element, line }: Named, ...path: readonly string[]): Named[] =>
  readElements(element, ...path, 'dependencies', 'dependency').map((one) => ({
    element: one,
    line,
  }));

/** True if the dependency is an imported BOM, whose POM Maven fetches. */
const isImport = ({ element }: Named): boolean => readTextAt(element, 'scope') === 'import';

/** Returns the exact version, also from `[1.0]`; undefined for other ranges, `LATEST` and `RELEASE`. */
const readVersion = (version: string): string | undefined => {
  const [, exact] = /^\[([^,[\]()]+)\]$/.exec(version) ?? [];
  return exact ?? (/^[[(]|^(?:LATEST|RELEASE)$/.test(version) ? undefined : version);
};

interface Reading {
  readonly managed: ReadonlyMap<string, Named>;
  readonly isOwn: (name: string, version: string) => boolean;
  readonly findLine: (element: unknown) => number | undefined;
}

const readOne = (named: Named, { managed, isOwn, findLine }: Reading): Found[] => {
  const { element } = named;
  const line = findLine(element);
  const text = textOf(named);
  const name = nameOf(named);
  if (name === undefined) return [{ text, reason: 'variable', line }];
  const path = readTextAt(element, 'systemPath');
  if (path) return [{ text, reason: 'file', detail: path, line }];
  const pinning = readTextAt(element, 'version') ? named : managed.get(name);
  if (!pinning) {
    const detail = 'a parent or a BOM may set it: check what mvn dependency:list prints';
    return [{ text, reason: 'no_version', detail, line }];
  }
  const version = resolve(pinning, 'version');
  if (version === undefined) {
    return [{ text, reason: 'variable', detail: readTextAt(pinning.element, 'version'), line }];
  }
  if (isOwn(name, version)) return [];
  const exact = readVersion(version);
  if (exact === undefined) return [{ text, reason: 'range', detail: version, line }];
  return [{ ecosystem: 'maven', name, version: exact, line, through: [] }];
};

/**
 * Returns the declarations of a POM: dependencies (also of its profiles), its parent and imported BOMs. Excludes
 * transitive dependencies. Plugins are listed separately.
 */
const read = (given: string): Contents => {
  const text = given.replace(/\r\n?/g, '\n');
  const project = parse(text);
  const findLineAt = prepareLines(text);
  const scopes = listScopes(project);
  const [itself] = scopes;
  const managing = scopes.flatMap((scope) => listDeclared(scope, 'dependencyManagement'));
  const managed = new Map(
    managing.filter((one) => !isImport(one)).map((one) => [nameOf(one) ?? '', one] as const),
  );
  const line: PomLine = [project];
  const [group, version] = ['groupId', 'version'].map((field) =>
    resolveProperties(line, readOwn(project, field)),
  );
  const artifact = resolve({ element: project, line }, 'artifactId');
  const own = [group && artifact ? `${group}:${artifact}` : ''];
  const reading: Reading = {
    managed,
    isOwn: (name, one) => {
      // Modules of one project share group and version.
      const isModule = one === version && name.startsWith(`${group}:`);
      if (isModule) own.push(name);
      return isModule;
    },
    findLine: (element) => {
      const offset = findOffset(element);
      return offset === undefined ? undefined : findLineAt(offset);
    },
  };
  const parent = readAt(project, 'parent');
  const isOwnParent =
    readTextAt(parent, 'relativePath') !== '' && readTextAt(parent, 'groupId') === group;
  const parents: Named[] = parent && !isOwnParent && itself ? [{ element: parent, line }] : [];
  if (parent && isOwnParent) own.push(nameOf({ element: parent, line }) ?? '');
  const asked = [
    ...parents,
    ...managing.filter(isImport),
    ...scopes.flatMap((one) => listDeclared(one)),
  ];
  const contents = gather(
    asked.flatMap((one) => readOne(one, reading)),
    own,
  );
  const plugins = listPlugins(scopes);
  const inherited = [...parents, ...managing.filter(isImport)].map((one) =>
    cleanText(resolveProperties(one.line, textOf(one)) ?? textOf(one)),
  );
  const isListed = contents.dependencies.length + contents.unpinned.length > 0;
  const incomplete = isListed ? explainPom(inherited, plugins) : undefined;
  return { ...contents, plugins, incomplete };
};

export const pom: FormatReader = {
  format: 'pom.xml',
  named: /(?:^|\/)pom\.xml$|\.pom$/,
  recognises: (text) =>
    /<project[\s>]/.test(text.slice(0, 5000)) && text.includes('<modelVersion>'),
  read,
};
