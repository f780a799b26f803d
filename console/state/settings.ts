import { createStore, useStore } from './store.ts';

/** What can be switched off, and the name under which this browser keeps that. */
const names = { keys: 'registry-keys', undo: 'registry-undo' } as const;

export type Setting = keyof typeof names;

type Settings = Readonly<Record<Setting, boolean>>;

const off = 'off';

const isOn = (setting: Setting): boolean => {
  try {
    return localStorage.getItem(names[setting]) !== off;
  } catch {
    return true;
  }
};

const settings = createStore<Settings>({ keys: isOn('keys'), undo: isOn('undo') });

const keep = (setting: Setting, on: boolean): void => {
  try {
    if (on) localStorage.removeItem(names[setting]);
    else localStorage.setItem(names[setting], off);
  } catch {
    // It holds for this page then.
  }
};

/** Returns whether a setting is on; each is, until somebody switches it off. */
export const readSetting = (setting: Setting): boolean => settings.get()[setting];

/** Switches a setting on or off, for this browser. */
export const changeSetting = (setting: Setting, on: boolean): void => {
  keep(setting, on);
  settings.set((before) => ({ ...before, [setting]: on }));
};

export const useSettings = (): Settings => useStore(settings);
