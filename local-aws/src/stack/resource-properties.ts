/** Stores the properties with which custom resources were deployed last, in memory or in a file of the data folder. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { replacePrivateFile } from '../private-file.ts';

type Properties = Readonly<Record<string, unknown>>;

/** Properties of the last deployment of each custom resource. */
export interface DeployedProperties {
  /** Returns undefined for a resource that was never deployed. */
  find(resourceId: string): Properties | undefined;
  save(resourceId: string, properties: Properties): Promise<void>;
}

const fileSchema = z.record(z.string(), z.record(z.string(), z.unknown()));

const readProperties = async (path: string): Promise<Record<string, Properties>> => {
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new Error(`${path} cannot be read as the file of custom resources`, { cause: error });
  }
};

/**
 * Opens the store.
 * @param path JSON file, or undefined to keep the properties in memory only
 */
export const openDeployedProperties = async (
  path: string | undefined,
): Promise<DeployedProperties> => {
  const known = path === undefined ? {} : await readProperties(path);
  return {
    find: (id) => known[id],
    save: async (id, properties) => {
      known[id] = properties;
      if (path !== undefined) await replacePrivateFile(path, JSON.stringify(known, null, 2));
    },
  };
};
