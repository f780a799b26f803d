import {
  chosenSettings,
  type ProtectedValues,
  protectedSettings,
} from '../shared/domain/deployment/protections.ts';
import { Settings } from './config.ts';

/** The settings of a deployment that sets none. */
const defaults = Settings.parse({});

/** Returns the entries of an object in the order of their names, so that equal settings have equal texts. */
const writeObject = (value: object): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))),
  );

const toText = (value: unknown): string => {
  if (value === undefined) return 'none';
  if (Array.isArray(value)) return value.join(',') || 'none';
  return typeof value === 'object' && value !== null ? writeObject(value) : String(value);
};

/** Returns the values of protected settings as texts, which CloudFormation keeps unchanged. */
export const listProtectedValues = (settings: Settings): ProtectedValues =>
  Object.fromEntries(
    protectedSettings.map((name) => {
      const value = settings[name];
      const isDefault = chosenSettings.includes(name) && value === defaults[name];
      return [name, isDefault ? 'default' : toText(value)];
    }),
  );
