import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeToolVariables } from '../../session/environment.ts';
import { isGateAddress } from '../../session/gate-address.ts';
import { copyAll, type ResolveOptions } from './resolution.ts';
import { runTool } from './run-tool.ts';

const indexLine = /^\s*["']?(?:@[^:=]+:)?registry["']?\s*=\s*["']?([^"']*)/;

/** Matches a setting that names a program. npm could run a file of the project. */
const programLine = /^\s*["']?git["']?\s*=/;

/** Returns npm's settings without the lines that name the gate as an index. The other lines, such as credentials, stay. */
const dropGateLines = (text: string, gate: string): string => {
  const variables = makeToolVariables(gate);
  const expand = (value: string): string =>
    value.replace(/\$\{([^}?]+)\??\}/g, (_, name: string) => variables[name] ?? '');
  return text
    .split('\n')
    .filter((line) => !isGateAddress(expand(indexLine.exec(line)?.[1] ?? ''), gate))
    .join('\n');
};

/** Copies the npm settings of the project for its copy, without lines that name the gate or a program. */
const copyProjectSettings = (options: ResolveOptions): void => {
  if (!copyAll(options, ['.npmrc'])) return;
  const file = join(options.folder, '.npmrc');
  const lines = dropGateLines(readFileSync(file, 'utf8'), options.gate).split('\n');
  writeFileSync(file, lines.filter((line) => !programLine.test(line)).join('\n'));
};

/**
 * Returns the flags that replace settings files of the user and of the machine, where they name the gate. Instead of it, npm
 * uses the index of another file, or its own one.
 */
const replaceUserSettings = async ({ folder, gate, signal }: ResolveOptions): Promise<string[]> => {
  const args = ['config', 'get', 'userconfig', 'globalconfig'];
  const printed = await runTool('npm', args, { cwd: folder, gate, signal });
  return [...printed.matchAll(/^(userconfig|globalconfig)=(.+)$/gm)].flatMap(
    ([, name = '', file = '']) => {
      if (!existsSync(file)) return [];
      const text = readFileSync(file, 'utf8');
      const kept = dropGateLines(text, gate);
      if (kept === text) return [];
      const copy = join(folder, `${name}.npmrc`);
      writeFileSync(copy, kept, { mode: 0o600 });
      return [`--${name}=${copy}`];
    },
  );
};

/** Prepares npm's settings for a resolution that does not use the gate. Returns the flags for npm. */
export const prepareNpmSettings = async (options: ResolveOptions): Promise<readonly string[]> => {
  copyProjectSettings(options);
  return replaceUserSettings(options);
};
