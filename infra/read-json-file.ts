import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingsError } from './config.ts';

const root = resolve(import.meta.dirname, '..');

/** What a JSON file says that a setting names, from the project's folder. @throws {SettingsError} where it cannot be read */
export const readJsonFile = (setting: string, path: string): unknown => {
  const file = resolve(root, path);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`${setting}: cannot read ${file}: ${why}`);
  }
};
