import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  isObject,
  type JsonObject,
  omitFields,
  readAt,
  readTextAt,
} from '../../../shared/util/json.ts';
import { dropGateElements, formatXml, readXml } from './maven-xml.ts';
import { manifests, type Requested } from './requested.ts';
import { copyAll, type ResolveOptions } from './resolution.ts';

/** Elements that load code, or that name folders which the copy does not have. */
const dropped = ['build', 'reporting', 'modules', 'packaging'];

const listElements = (element: unknown, ...path: readonly string[]): readonly JsonObject[] =>
  [readAt(element, ...path)].flat().filter(isObject);

/** Returns a POM that loads no plugin and no extension. */
const dropCode = (pom: JsonObject): JsonObject => ({
  ...omitFields(pom, dropped),
  // Other kinds of packaging can come from an extension.
  packaging: 'pom',
  profiles: {
    profile: listElements(pom, 'profiles', 'profile').map((one) => omitFields(one, dropped)),
  },
});

/** Returns the path of the file that a POM names as its parent; undefined if a repository has the parent. */
const findParent = (pom: JsonObject, path: string, project: string): string | undefined => {
  if (!isObject(pom['parent'])) return undefined;
  const relative = readAt(pom, 'parent', 'relativePath') ?? `../${manifests.maven}`;
  if (typeof relative !== 'string' || relative === '') return undefined;
  const target = join(dirname(path), relative);
  const found = statSync(join(project, target), { throwIfNoEntry: false });
  return found?.isDirectory() ? join(target, manifests.maven) : target;
};

/** Copies a POM, and its parents in the project, without code. Returns the POM; undefined if it cannot be read. */
const copyPom = (options: ResolveOptions, path: string): JsonObject | undefined => {
  const copy = join(options.folder, path);
  if (existsSync(copy) || !copyAll(options, [path])) return undefined;
  const read = readXml(copy, 'project');
  const pom = dropGateElements(read && dropCode(read), options.gate);
  if (!isObject(pom)) return undefined;
  writeFileSync(copy, formatXml('project', pom));
  const parent = findParent(pom, path, options.project);
  if (parent !== undefined) copyPom(options, parent);
  return pom;
};

const toDependency = ({ name, range = '' }: Requested): JsonObject => {
  const [groupId, artifactId] = name.split(':');
  return { groupId, artifactId, version: range };
};

/** Writes a POM with the requested dependencies alone. */
export const writeBarePom = (requested: readonly Requested[], folder: string): void => {
  const own = { groupId: 'request', artifactId: 'request', version: '0' };
  const dependencies = { dependency: requested.map(toDependency) };
  const pom = { modelVersion: '4.0.0', ...own, dependencies };
  writeFileSync(join(folder, manifests.maven), formatXml('project', pom));
};

/**
 * Writes the project's POM with the requested dependencies after its own, so that its managed versions count. Returns whether
 * the project has a POM that can be read.
 */
export const writeProjectPom = (
  requested: readonly Requested[],
  options: ResolveOptions,
): boolean => {
  const pom = copyPom(options, manifests.maven);
  if (!pom) return false;
  const names = requested.map(({ name }) => name);
  const others = listElements(pom, 'dependencies', 'dependency').filter(
    (one) => !names.includes(`${readTextAt(one, 'groupId')}:${readTextAt(one, 'artifactId')}`),
  );
  const dependencies = { dependency: [...others, ...requested.map(toDependency)] };
  writeFileSync(
    join(options.folder, manifests.maven),
    formatXml('project', { ...pom, dependencies }),
  );
  return true;
};
