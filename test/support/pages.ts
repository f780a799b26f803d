import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CommandLine } from './command-line.ts';
import type { Ended } from './warm-commands.ts';

/** The blocks of commands of a page, or of one of its sections; each pasted as it stands. */
export const readBlocks = (page: string, section?: string): string[] => {
  const markdown = readFileSync(page, 'utf8');
  const [, part = ''] = section ? markdown.split(`## ${section}\n`) : ['', markdown];
  const [chosen = ''] = section ? part.split(/^## /m) : [part];
  const blocks = chosen.matchAll(/^( *)```sh\n(.*?)^ *```/gms);
  return [...blocks].map(([, indent = '', block = '']) => block.replaceAll(`\n${indent}`, '\n'));
};

/** Puts a program for pasted commands beside the command line: what a shell runs for it. */
export const addProgram = ({ folder }: CommandLine, name: string, script: string): void => {
  const file = join(folder, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
};

/** Has a shell run a script in the command line's folder, as if it was pasted. */
export const pasteInto = async (
  { folder, environment }: CommandLine,
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<Ended> => {
  const path = [join(folder, 'bin'), environment['PATH']].join(delimiter);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...environment, PATH: path, ...variables },
    // A socket as standard input would have bash read its start-up files, as for a remote shell.
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
};

/** The statuses that curl told, by the test's own .curlrc. */
export const listStatuses = (stdout: string): string[] =>
  [...stdout.matchAll(/^HTTP (\d+)$/gm)].map(([, status = '']) => status);
