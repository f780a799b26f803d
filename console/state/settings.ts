import { createStore, useStore } from './store.ts';

/** The settings, with their keys in the browser's storage. */
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

const store = (setting: Setting, on: boolean): void => {
  try {
    if (on) localStorage.removeItem(names[setting]);
    else localStorage.setItem(names[setting], off);
  } catch {
    // Without storage, the setting lasts until the page is closed.
  }
};

/** Returns true if a setting is on, which is the default. */
export const readSetting = (setting: Setting): boolean => settings.get()[setting];

/** Switches a setting on or off in this browser. */
export const changeSetting = (setting: Setting, on: boolean): void => {
  store(setting, on);
  settings.set((before) => ({ ...before, [setting]: on }));
};

/** Returns all settings, and renders again when one changes. */
export const useSettings = (): Settings => useStore(settings);
