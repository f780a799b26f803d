import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'smol-toml';
import {
  isObject,
  type JsonObject,
  omitFields,
  readAt,
  readTextAt,
} from '../../../shared/util/json.ts';

/** Changes a TOML file. One that cannot be parsed stays as it is, and uv reports it. */
export const editToml = (file: string, edit: (toml: JsonObject) => JsonObject): void => {
  let toml: JsonObject;
  try {
    toml = parse(readFileSync(file, 'utf8'));
  } catch {
    return;
  }
  writeFileSync(file, stringify(edit(toml)));
};

/**
 * Returns a manifest without its build system, and without fields that only a build computes. For such fields, uv builds
 * the packages of a workspace also with --no-build, and runs their code.
 */
export const makeStatic = (manifest: JsonObject): JsonObject => {
  const rest = omitFields(manifest, ['build-system']);
  const { project } = manifest;
  if (!isObject(project)) return rest;
  const version = readTextAt(project, 'version') ?? '0';
  return { ...rest, project: { ...omitFields(project, ['dynamic']), version } };
};

/** Returns the paths of wheels that a manifest uses in place of packages of an index. */
export const listWheels = (manifest: JsonObject): readonly string[] => {
  const sources = readAt(manifest, 'tool', 'uv', 'sources');
  const paths = Object.values(isObject(sources) ? sources : {})
    .flat()
    .map((source) => readTextAt(source, 'path') ?? '');
  return paths.filter((path) => path.endsWith('.whl'));
};
