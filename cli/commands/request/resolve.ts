import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requested, Resolver } from './requested.ts';
import { runTool } from './run-tool.ts';

/** How a request is resolved. */
export interface ResolveOptions {
  /** The project. Only its manifest and its lockfile are read. */
  readonly project: string;
  /** An empty folder for a copy of them. */
  readonly folder: string;
  /** The newest time of publication; undefined for any. */
  readonly before: Date | undefined;
  /** The address of a package index in place of the package manager's own. */
  readonly index: string | undefined;
  /** The address of the gate, which has approved versions only. */
  readonly gate: string;
  readonly signal: AbortSignal;
}

/** Resolves a request in a folder. Returns the names of the files that list the versions. */
type Resolve = (
  requested: readonly Requested[],
  options: ResolveOptions,
) => Promise<readonly string[]>;

/** Copies files of the project that exist. Returns whether all of them do. */
const copyAll = ({ project, folder }: ResolveOptions, names: readonly string[]): boolean => {
  const areThere = names.every((name) => existsSync(join(project, name)));
  if (areThere) for (const name of names) copyFileSync(join(project, name), join(folder, name));
  return areThere;
};

const resolveWithNpm: Resolve = async (requested, options) => {
  const { folder, before, index, gate, signal } = options;
  if (!copyAll(options, ['package.json', 'package-lock.json'])) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  }
  const specs = requested.map(({ name, range }) => (range ? `${name}@${range}` : name));
  const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  const chosen = [
    ...(before ? [`--before=${before.toISOString()}`] : []),
    ...(index ? [`--registry=${index}`] : []),
  ];
  const args = ['install', ...flags, ...chosen, '--', ...specs];
  await runTool('npm', args, { cwd: folder, gate, signal });
  return ['package-lock.json'];
};

/** Drops the tables of indexes that name the gate: it has approved versions only. */
const dropGateIndex = (text: string, gate: string): string =>
  text
    .split(/^(?=\[)/m)
    .filter((table) => !(table.startsWith('[[tool.uv.index]]') && table.includes(gate)))
    .join('');

const toRequirement = ({ name, range }: Requested): string => {
  if (range === undefined) return name;
  return /^[<>=!~]/.test(range) ? `${name}${range}` : `${name}==${range}`;
};

const resolveWithUv: Resolve = async (requested, options) => {
  const { folder, before, index, gate, signal } = options;
  const manifest = join(folder, 'pyproject.toml');
  if (copyAll(options, ['pyproject.toml', 'uv.lock'])) {
    writeFileSync(manifest, dropGateIndex(readFileSync(manifest, 'utf8'), gate));
  } else {
    writeFileSync(
      manifest,
      '[project]\nname = "request"\nversion = "0"\nrequires-python = ">=3.10"\n',
    );
  }
  const args = [
    ...['add', '--no-sync', '--no-build'],
    ...(before ? ['--exclude-newer', before.toISOString()] : []),
    ...(index ? ['--default-index', index] : []),
    '--',
    ...requested.map(toRequirement),
  ];
  await runTool('uv', args, { cwd: folder, gate, signal });
  return ['uv.lock'];
};

const toDependency = ({ name, range = '' }: Requested): string => {
  const [group, artifact] = name.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${range}</version></dependency>`;
};

const resolveWithMaven: Resolve = async (requested, { folder, index, gate, signal }) => {
  const project =
    '<modelVersion>4.0.0</modelVersion><groupId>request</groupId><artifactId>request</artifactId><version>0</version>';
  const dependencies = requested.map(toDependency).join('');
  writeFileSync(
    join(folder, 'pom.xml'),
    `<project>${project}<dependencies>${dependencies}</dependencies></project>\n`,
  );
  const mirror = index
    ? `<mirrors><mirror><id>index</id><mirrorOf>*</mirrorOf><url>${index.replaceAll('&', '&amp;')}</url></mirror></mirrors>`
    : '';
  writeFileSync(join(folder, 'settings.xml'), `<settings>${mirror}</settings>\n`);
  const list = 'dependency-tree.txt';
  const args = [
    ...['-B', '-q', '-s', 'settings.xml', `-Dmaven.repo.local=${join(folder, 'repository')}`],
    ...['dependency:tree', `-DoutputFile=${join(folder, list)}`],
  ];
  await runTool('mvn', args, { cwd: folder, gate, signal });
  return [list];
};

/** The resolution of each package manager. */
export const resolveRequest: Readonly<Record<Resolver, Resolve>> = {
  npm: resolveWithNpm,
  uv: resolveWithUv,
  maven: resolveWithMaven,
};
