import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifests, type Requested } from './requested.ts';
import { copyAll, copyManifests, type Resolve, type ResolveOptions } from './resolution.ts';
import { runTool } from './run-tool.ts';
import { editToml, listWheels, makeStatic } from './uv-manifest.ts';

/** Drops the tables of indexes that name the gate: it has approved versions only. */
const dropGateIndex = (text: string, gate: string): string =>
  text
    .split(/^(?=\[)/m)
    .filter((table) => !(table.startsWith('[[tool.uv.index]]') && table.includes(gate)))
    .join('');

/** Copies the manifests of the project and of its packages, so that uv builds none of them. */
const copyProject = (options: ResolveOptions): void => {
  for (const path of copyManifests(options, manifests.uv)) {
    editToml(join(options.folder, path), (manifest) => {
      for (const wheel of listWheels(manifest)) copyAll(options, [join(dirname(path), wheel)]);
      return makeStatic(manifest);
    });
  }
};

const toRequirement = ({ name, range }: Requested): string => {
  if (range === undefined) return name;
  return /^[<>=!~]/.test(range) ? `${name}${range}` : `${name}==${range}`;
};

export const resolveWithUv: Resolve = async (requested, options) => {
  const { folder, before, index, gate, signal } = options;
  const manifest = join(folder, manifests.uv);
  if (copyAll(options, [manifests.uv, 'uv.lock'])) {
    copyProject(options);
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
