import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareNpmSettings } from './npm-settings.ts';
import { findLockfile, manifests } from './requested.ts';
import { copyAll, copyManifests, type Resolve } from './resolution.ts';
import { runTool } from './run-tool.ts';

export const resolveWithNpm: Resolve = async (requested, options) => {
  const { project, folder, before, index, gate, signal } = options;
  const lockfile = findLockfile('npm', project);
  const isLocked = lockfile !== undefined && copyAll(options, [manifests.npm, lockfile]);
  if (isLocked) {
    copyManifests(options, manifests.npm);
  } else {
    writeFileSync(join(folder, manifests.npm), '{ "private": true }\n');
  }
  const specs = requested.map(({ name, range }) => (range ? `${name}@${range}` : name));
  const settings = await prepareNpmSettings(options);
  const flags = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  const chosen = [
    // Addresses show whether a package with an own name is from a stranger.
    '--no-omit-lockfile-registry-resolved',
    ...settings,
    ...(before ? [`--before=${before.toISOString()}`] : []),
    ...(index ? [`--registry=${index}`] : []),
  ];
  const args = ['install', ...flags, ...chosen, '--', ...specs];
  await runTool('npm', args, { cwd: folder, gate, signal });
  return { files: [isLocked ? lockfile : 'package-lock.json'] };
};
