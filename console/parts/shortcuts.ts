import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../state/announcements.ts';
import { readSetting } from '../state/settings.ts';

export type ShortcutActions = Readonly<Record<string, () => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox');

/** Returns true if keys belong to a dialog, or to a form whose script is still loading. */
const areKeysTaken = (): boolean => document.querySelector('dialog[open], .loading-form') !== null;

/** The keys that repeat while the user holds them down: they only move. */
const repeatable: readonly string[] = ['j', 'k'];

/** Returns true for a repeated event of a held key that decides or selects: each press acts once. */
const isIgnoredRepeat = ({ repeat, key }: KeyboardEvent): boolean =>
  repeat && !repeatable.includes(key);

/** Returns true for a single-character key while single-key shortcuts are off. */
const isSwitchedOff = ({ key }: KeyboardEvent): boolean => key.length === 1 && !readSetting('keys');

/** The field of the last typed character; null after a click or a key that ends typing. */
let typed: EventTarget | null = null;

/** Returns true if the field disappeared while somebody typed: the remaining characters are no shortcuts. */
const isFieldGone = (): boolean => typed instanceof Node && !typed.isConnected;

const endsTyping: readonly string[] = ['Enter', 'Escape', 'Tab'];

const noteTyping = (event: Event): void => {
  // This Escape ends typing alone: a selection stays.
  if (event instanceof KeyboardEvent && event.key === 'Escape' && isFieldGone()) {
    event.stopImmediatePropagation();
  }
  if (!(event instanceof KeyboardEvent) || endsTyping.includes(event.key)) typed = null;
  else if (isTyping(event.target)) typed = event.target;
};

/** Runs the action of a shortcut, unless somebody types or uses a shortcut of the browser. */
export const useShortcuts = (actions: ShortcutActions): void => {
  const latest = useRef(actions);
  // Not in an effect, which may run after the next key.
  latest.current = actions;
  useEffect(() => {
    const act = (event: KeyboardEvent): void => {
      // A held Enter would press a button repeatedly, and then the next button with the focus.
      if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || areKeysTaken()) return;
      if (isFieldGone()) {
        event.preventDefault();
        announce('The field that you typed into was closed. Press Escape to use shortcuts again.');
        return;
      }
      const action = latest.current[event.key];
      if (!action || isSwitchedOff(event)) return;
      event.preventDefault();
      if (!isIgnoredRepeat(event)) action();
    };
    // The browser adds the same listener once. Capturing sees the keys that forms stop.
    for (const kind of ['keydown', 'click']) addEventListener(kind, noteTyping, true);
    addEventListener('keydown', act);
    return () => removeEventListener('keydown', act);
  }, []);
};

/** The shortcuts for the help dialog. */
export const shortcutTexts: readonly (readonly [keys: string, meaning: string])[] = [
  ['j k', 'Next or previous version'],
  ['Enter', 'Open the current version'],
  ['a', 'Approve the current version, or all selected versions'],
  ['r', 'Reject the current version, or all selected versions'],
  ['u', 'Undo the last decision, within 5 seconds'],
  ['x', 'Select the current version'],
  ['Shift J K', 'Extend the selection to the next or previous version'],
  ['Shift X', 'Select all loaded pending versions, or none'],
  ['Shift A', 'Approve all versions in the queue without issues'],
  ['/', 'Search'],
  ['f', 'Add a filter'],
  ['Escape', 'Close a form, clear a selection, or close a package'],
  ['?', 'Show this help'],
];
