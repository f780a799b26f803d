import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CommandLine } from './command-line.ts';
import type { Ended } from './warm-commands.ts';

/** Returns the command blocks of a page, or of one of its sections, unchanged. */
export const readBlocks = (page: string, section?: string): string[] => {
  const markdown = readFileSync(page, 'utf8');
  const [, part = ''] = section ? markdown.split(`## ${section}\n`) : ['', markdown];
  const [chosen = ''] = section ? part.split(/^## /m) : [part];
  const blocks = chosen.matchAll(/^( *)```sh\n(.*?)^ *```/gms);
  return [...blocks].map(([, indent = '', block = '']) => block.replaceAll(`\n${indent}`, '\n'));
};

/** The programs of one test file. The folder `bin` of the command line is shared by all. */
const programsIn = (folder: string): string => join(folder, 'programs');

/** Adds a program for pasted commands to the command line's folder. */
export const addProgram = ({ folder }: CommandLine, name: string, script: string): void => {
  mkdirSync(programsIn(folder), { recursive: true });
  const file = join(programsIn(folder), name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
};

/** Runs a script in a shell in the command line's folder, like pasted commands. */
export const pasteInto = async (
  { folder, environment }: CommandLine,
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const path = [programsIn(folder), environment['PATH']].join(delimiter);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...environment, PATH: path, ...variables },
    // With a socket as standard input, bash would read its start-up files, as for a remote shell.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
};

/** Returns the statuses that curl printed, according to the test's own .curlrc. */
export const listStatuses = (stdout: string): string[] =>
  [...stdout.matchAll(/^HTTP (\d+)$/gm)].map(([, status = '']) => status);
