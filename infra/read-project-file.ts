import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SettingsError } from './settings-error.ts';

const root = resolve(import.meta.dirname, '..');

const readProjectFile = <T>(setting: string, path: string, parse: (text: string) => T): T => {
  const file = resolve(root, path);
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingsError(`${setting}: cannot read ${file}: ${why}`);
  }
};

/** Returns the text of the file that a setting names. @throws {SettingsError} if it cannot be read */
export const readTextFile = (setting: string, path: string): string =>
  readProjectFile(setting, path, (text) => text);

/** Returns the content of the JSON file that a setting names. @throws {SettingsError} if it cannot be read */
export const readJsonFile = (setting: string, path: string): unknown =>
  readProjectFile(setting, path, (text): unknown => JSON.parse(text));
