import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type JsonObject, readAt } from '../../../shared/util/json.ts';
import { manifests, type Requested } from './requested.ts';
import { copyAll, copyManifests, type Resolve, type ResolveOptions } from './resolution.ts';
import { runTool } from './run-tool.ts';
import { editToml, listWheels, makeStatic } from './uv-manifest.ts';
import { dropGateIndexes, prepareUvSettings } from './uv-settings.ts';

/** Returns a manifest for the copy of a project: nothing in it is built or comes from the gate. */
const toCopied = (manifest: JsonObject, gate: string): JsonObject => {
  const { tool } = manifest;
  const uv = readAt(tool, 'uv');
  if (!isObject(tool) || !isObject(uv)) return makeStatic(manifest);
  return makeStatic({ ...manifest, tool: { ...tool, uv: dropGateIndexes(uv, gate) } });
};

/** Copies the manifests of the project and of its packages, so that uv builds none of them. */
const copyProject = (options: ResolveOptions): void => {
  for (const path of copyManifests(options, manifests.uv)) {
    editToml(join(options.folder, path), (manifest) => {
      for (const wheel of listWheels(manifest)) copyAll(options, [join(dirname(path), wheel)]);
      return toCopied(manifest, options.gate);
    });
  }
};

const toRequirement = ({ name, range }: Requested): string => {
  if (range === undefined) return name;
  return /^[<>=!~]/.test(range) ? `${name}${range}` : `${name}==${range}`;
};

export const resolveWithUv: Resolve = async (requested, options) => {
  const { folder, before, index, gate, signal } = options;
  if (copyAll(options, [manifests.uv, 'uv.lock'])) {
    copyProject(options);
  } else {
    writeFileSync(
      join(folder, manifests.uv),
      '[project]\nname = "request"\nversion = "0"\nrequires-python = ">=3.10"\n',
    );
  }
  const variables = prepareUvSettings(options);
  const args = [
    ...['add', '--no-sync', '--no-build'],
    ...(before ? ['--exclude-newer', before.toISOString()] : []),
    ...(index ? ['--default-index', index] : []),
    '--',
    ...requested.map(toRequirement),
  ];
  await runTool('uv', args, { cwd: folder, gate, signal, variables });
  return { files: ['uv.lock'] };
};
