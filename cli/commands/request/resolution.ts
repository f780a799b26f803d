import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Requested } from './requested.ts';

/** How a request is resolved. */
export interface ResolveOptions {
  /** The project. Only its manifest and its lockfile are read. */
  readonly project: string;
  /** An empty folder for a copy of them. */
  readonly folder: string;
  /** The newest time of publication; undefined for any. */
  readonly before: Date | undefined;
  /** The address of a package index in place of the package manager's own. */
  readonly index: string | undefined;
  /** The address of the gate, which has approved versions only. */
  readonly gate: string;
  readonly signal: AbortSignal;
}

/** Resolves a request in a folder. Returns the names of the files that list the versions. */
export type Resolve = (
  requested: readonly Requested[],
  options: ResolveOptions,
) => Promise<readonly string[]>;

/** Copies files of the project that exist. Returns whether all of them do. */
export const copyAll = ({ project, folder }: ResolveOptions, names: readonly string[]): boolean => {
  const areThere = names.every((name) => existsSync(join(project, name)));
  if (areThere) for (const name of names) copyFileSync(join(project, name), join(folder, name));
  return areThere;
};
