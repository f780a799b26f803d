/** The project of npm and pnpm, and its installs. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { dropScope } from '../../../shared/ecosystems/npm/gate/request.ts';
import { readDependencyFile } from '../../../shared/ecosystems/parse-dependency-file.ts';
import type { Client, Project, ProjectOptions } from './client.ts';
import { npmDependencies, resolvedBefore } from './projects.ts';
import { runCommand } from './run-command.ts';

const lockName = 'package-lock.json';
const pnpmLockName = 'pnpm-lock.yaml';
const pnpm = join(import.meta.dirname, 'peers/node_modules/pnpm/bin/pnpm.mjs');

/** Options of npm for one registry, without the machine's own settings, scripts and other requests. */
const npmOptions = (address: string, home: string): readonly string[] => [
  ...['--registry', address, '--cache', join(home, 'cache'), '--ignore-scripts'],
  ...['--userconfig', join(home, '.npmrc'), '--globalconfig', join(home, 'npmrc')],
  ...['--no-audit', '--no-fund', '--no-update-notifier'],
];

const makePackageJson = (dependencies: object): string =>
  JSON.stringify({ name: 'bench', version: '1.0.0', private: true, dependencies });

interface Lockfile {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version?: string; readonly link?: boolean }>
  >;
}

/** Returns the lockfile with the address of each tarball at a registry, as npm writes it by default. */
export const addAddresses = (lockfile: string, address: string): string => {
  const lock: Lockfile = JSON.parse(lockfile);
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const name = entry.name ?? path.split('node_modules/').at(-1) ?? '';
    const file = `${dropScope(name)}-${entry.version}.tgz`;
    return [path, path === '' ? entry : { ...entry, resolved: `${address}${name}/-/${file}` }];
  });
  return JSON.stringify({ ...lock, packages: Object.fromEntries(packages) });
};

const countPackages = (folder: string): number => {
  const installed: Lockfile = JSON.parse(
    readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'),
  );
  return Object.keys(installed.packages).length;
};

interface ProjectFiles {
  readonly packageJson: string;
  readonly lockfile: string;
  readonly pnpmLock: string;
}

const openHome = (folder: string): string => {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return home;
};

const installWithNpm =
  ({ packageJson }: ProjectFiles, findLockfile: (address: string) => string): Client['install'] =>
  async (address, folder) => {
    const home = openHome(folder);
    writeFileSync(join(folder, 'package.json'), packageJson);
    writeFileSync(join(folder, lockName), findLockfile(address));
    const ms = await runCommand({
      program: 'npm',
      args: ['ci', ...npmOptions(address, home)],
      cwd: folder,
      home,
    });
    return { ms, installed: countPackages(folder) };
  };

const installWithPnpm =
  ({ packageJson, pnpmLock }: ProjectFiles): Client['install'] =>
  async (address, folder) => {
    const home = openHome(folder);
    writeFileSync(join(folder, 'package.json'), packageJson);
    writeFileSync(join(folder, pnpmLockName), pnpmLock);
    const ms = await runCommand({
      program: process.execPath,
      args: [pnpm, 'install', '--frozen-lockfile', '--ignore-scripts', '--registry', address],
      cwd: folder,
      home,
    });
    return { ms, installed: readdirSync(join(folder, 'node_modules/.pnpm')).length };
  };

const resolveProject = async ({ origin, size, folder }: ProjectOptions): Promise<ProjectFiles> => {
  const address = origin.addresses.npm;
  const home = openHome(folder);
  const packageJson = makePackageJson(npmDependencies[size]);
  writeFileSync(join(folder, 'package.json'), packageJson);
  const options = ['--before', resolvedBefore, '--omit-lockfile-registry-resolved'];
  await runCommand({
    program: 'npm',
    args: ['install', '--package-lock-only', ...options, ...npmOptions(address, home)],
    cwd: folder,
    home,
  });
  await runCommand({
    program: process.execPath,
    args: [pnpm, 'import', '--registry', address],
    cwd: folder,
    home,
  });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  return { packageJson, lockfile: read(lockName), pnpmLock: read(pnpmLockName) };
};

const listPackages = ({ lockfile, pnpmLock }: ProjectFiles): readonly PackageId[] => {
  const dependencies = [
    ...readDependencyFile(lockName, lockfile).dependencies,
    ...readDependencyFile(pnpmLockName, pnpmLock).dependencies,
  ];
  const ids = dependencies.map(({ ecosystem, name, version }) => ({ ecosystem, name, version }));
  return [...new Map(ids.map((id) => [toVersionKey(id), id])).values()];
};

/** Resolves the project with npm, and takes the same versions over for pnpm. */
export const prepareNpmProject = async (options: ProjectOptions): Promise<Project> => {
  const files = await resolveProject(options);
  const { lockfile } = files;
  return {
    packages: listPackages(files),
    clients: [
      { name: 'npm', ecosystem: 'npm', install: installWithNpm(files, () => lockfile) },
      {
        name: 'npm, addresses',
        ecosystem: 'npm',
        install: installWithNpm(files, (address) => addAddresses(lockfile, address)),
      },
      { name: 'pnpm', ecosystem: 'npm', install: installWithPnpm(files) },
    ],
  };
};
