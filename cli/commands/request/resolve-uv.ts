import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Requested } from './requested.ts';
import { copyAll, type Resolve } from './resolution.ts';
import { runTool } from './run-tool.ts';

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

export const resolveWithUv: Resolve = async (requested, options) => {
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
