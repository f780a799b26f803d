/** The project of uv, and its install. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDependencyFile } from '../../../shared/ecosystems/parse-dependency-file.ts';
import type { Client, Project, ProjectOptions } from './client.ts';
import { pythonRequirements, resolvedBefore } from './projects.ts';
import { runCommand } from './run-command.ts';

const wanted = 'requirements.in';
const pinned = 'requirements.txt';

/** Options of uv for one registry, without the machine's own settings. */
const uvOptions = (address: string, home: string): readonly string[] => [
  ...['--default-index', `${address}simple/`, '--cache-dir', join(home, 'cache')],
  ...['--no-config', '--only-binary', ':all:'],
];

const openHome = (folder: string): string => {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return home;
};

const installWithUv =
  (requirements: string): Client['install'] =>
  async (address, folder) => {
    const home = openHome(folder);
    writeFileSync(join(folder, pinned), requirements);
    const common = { program: 'uv', cwd: folder, home };
    await runCommand({ ...common, args: ['venv', '--no-config', '--offline', '.venv'] });
    const ms = await runCommand({
      ...common,
      args: ['pip', 'sync', pinned, ...uvOptions(address, home)],
    });
    return { ms, installed: globSync('.venv/**/*.dist-info', { cwd: folder }).length };
  };

/** Resolves the project with uv. */
export const preparePythonProject = async (options: ProjectOptions): Promise<Project> => {
  const { origin, size, folder } = options;
  const home = openHome(folder);
  writeFileSync(join(folder, wanted), `${pythonRequirements[size].join('\n')}\n`);
  const limits = ['--exclude-newer', resolvedBefore, '--no-annotate', '--no-header'];
  await runCommand({
    program: 'uv',
    args: [
      'pip',
      'compile',
      wanted,
      '-o',
      pinned,
      ...limits,
      ...uvOptions(origin.addresses.pypi, home),
    ],
    cwd: folder,
    home,
  });
  const requirements = readFileSync(join(folder, pinned), 'utf8');
  const { dependencies } = readDependencyFile(pinned, requirements);
  return {
    packages: dependencies.map(({ ecosystem, name, version }) => ({ ecosystem, name, version })),
    clients: [{ name: 'uv', ecosystem: 'pypi', install: installWithUv(requirements) }],
  };
};
