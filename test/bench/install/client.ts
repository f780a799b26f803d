/** A package manager in the benchmark. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { InstalledEcosystem } from './addresses.ts';
import type { OriginServer } from './origin.ts';
import type { Size } from './projects.ts';

export interface Installation {
  /** Time of the install alone, in milliseconds. */
  readonly ms: number;
  /** Number of installed packages or files, which is the same from each registry. */
  readonly installed: number;
}

export interface Client {
  readonly name: string;
  readonly ecosystem: InstalledEcosystem;
  /** Installs into an empty folder, with an empty cache, from the registry at this address. */
  install(address: string, folder: string): Promise<Installation>;
}

/** A resolved project: its packages, and the clients that install it. */
export interface Project {
  readonly packages: readonly PackageId[];
  readonly clients: readonly Client[];
}

export interface ProjectOptions {
  readonly origin: OriginServer;
  readonly size: Size;
  /** Folder for the resolved project. */
  readonly folder: string;
}

/** Calls `use` with a new folder, and removes the folder. */
export const withFolder = async <T>(
  parent: string,
  use: (folder: string) => Promise<T>,
): Promise<T> => {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'install-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};
