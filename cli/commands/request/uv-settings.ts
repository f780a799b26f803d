import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../shared/util/json.ts';
import { makeToolVariables } from '../../session/environment.ts';
import { isGateAddress } from '../../session/gate-address.ts';
import { copyAll, type ResolveOptions } from './resolution.ts';
import { editToml } from './uv-manifest.ts';

/** Returns uv's settings without the indexes at the gate, and without the sources that use them. */
export const dropGateIndexes = (settings: JsonObject, gate: string): JsonObject => {
  const isGate = (index: unknown): boolean =>
    isGateAddress(typeof index === 'string' ? index : (readTextAt(index, 'url') ?? ''), gate);
  const dropped = [settings['index'] ?? []]
    .flat()
    .filter(isGate)
    .map((index) => readAt(index, 'name'));
  const usesGate = (source: unknown): boolean =>
    isObject(source) && 'index' in source && dropped.includes(source['index']);
  const { sources } = settings;
  const lists = ['index', 'index-url', 'extra-index-url'].map((name) => {
    const kept = [settings[name] ?? []].flat().filter((one) => !isGate(one));
    return [name, Array.isArray(settings[name]) ? kept : kept[0]] as const;
  });
  return {
    ...settings,
    ...Object.fromEntries(lists),
    ...(isObject(sources) && {
      sources: Object.fromEntries(
        Object.entries(sources).filter(([, source]) => ![source].flat().some(usesGate)),
      ),
    }),
  };
};

/** Returns the settings files of the user and the machine, by the variable that replaces each of them. */
const findSettings = ({
  UV_CONFIG_FILE,
  XDG_CONFIG_HOME = join(homedir(), '.config'),
  XDG_CONFIG_DIRS = '/etc/xdg',
}: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> => {
  const machine = XDG_CONFIG_DIRS.split(delimiter).map((folder) => join(folder, 'uv', 'uv.toml'));
  return {
    UV_CONFIG_FILE,
    XDG_CONFIG_HOME: join(XDG_CONFIG_HOME, 'uv', 'uv.toml'),
    XDG_CONFIG_DIRS: [...machine, '/etc/uv/uv.toml'].find((file) => existsSync(file)),
  };
};

/**
 * Copies uv's settings for the copy of the project, without indexes at the gate. Returns the variables that replace files of
 * the user and the machine, where these name the gate.
 */
export const prepareUvSettings = (options: ResolveOptions): Readonly<Record<string, string>> => {
  const { folder, gate } = options;
  const edit = (settings: JsonObject): JsonObject => dropGateIndexes(settings, gate);
  if (copyAll(options, ['uv.toml'])) editToml(join(folder, 'uv.toml'), edit);
  const { host } = new URL(gate);
  const files = Object.entries(findSettings(makeToolVariables(gate)));
  return Object.fromEntries(
    files.flatMap(([variable, file]) => {
      if (file === undefined || !existsSync(file)) return [];
      if (!readFileSync(file, 'utf8').includes(host)) return [];
      const base = join(folder, variable);
      const copy = join(base, 'uv', 'uv.toml');
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(file, copy);
      editToml(copy, edit);
      return [[variable, variable === 'UV_CONFIG_FILE' ? copy : base]];
    }),
  );
};
