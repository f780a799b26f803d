import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingsError } from './settings-error.ts';

const root = resolve(import.meta.dirname, '..');

/** Returns the content of the JSON file that a setting names. @throws {SettingsError} if it cannot be read */
export const readJsonFile = (setting: string, path: string): unknown => {
  const file = resolve(root, path);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`${setting}: cannot read ${file}: ${why}`);
  }
};
