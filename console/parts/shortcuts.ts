import { useEffect, useRef } from 'preact/hooks';
import { announce } from '../state/announcements.ts';
import { readSetting } from '../state/settings.ts';

export type ShortcutActions = Readonly<Record<string, () => void>>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox');

const isInDialog = (): boolean => document.querySelector('dialog[open]') !== null;

/** The keys that may act again and again while they are held down: they only move. */
const repeatable: readonly string[] = ['j', 'k'];

/** Whether a held key sends the event again: nobody has read what that would decide or select. */
const isIdleRepeat = ({ repeat, key }: KeyboardEvent): boolean =>
  repeat && !repeatable.includes(key);

/** Whether a key is one character, and such keys are switched off. */
const isSwitchedOff = ({ key }: KeyboardEvent): boolean => key.length === 1 && !readSetting('keys');

/** The field that somebody types into; null once a click or a key says that they have ended. */
let typed: EventTarget | null = null;

/** Whether the field that somebody types into is gone: the rest of their words decides nothing. */
const isAdrift = (): boolean => typed instanceof Node && !typed.isConnected;

const endsTyping: readonly string[] = ['Enter', 'Escape', 'Tab'];

const noteTyping = (event: Event): void => {
  // This Escape ends the words alone: a selection stays.
  if (event instanceof KeyboardEvent && event.key === 'Escape' && isAdrift()) {
    event.stopImmediatePropagation();
  }
  if (!(event instanceof KeyboardEvent) || endsTyping.includes(event.key)) typed = null;
  else if (isTyping(event.target)) typed = event.target;
};

/** Does what a single key stands for, unless somebody types, or means something to the browser. */
export const useShortcuts = (actions: ShortcutActions): void => {
  const latest = useRef(actions);
  // At once: effects come later than the next key of who types fast.
  latest.current = actions;
  useEffect(() => {
    const act = (event: KeyboardEvent): void => {
      // A held Enter would press a button again and again, and the next one that gets the focus.
      if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || isInDialog()) return;
      if (isAdrift()) {
        event.preventDefault();
        announce('The field that you typed into is gone. Press Escape, then keys work again.');
        return;
      }
      const action = latest.current[event.key];
      if (!action || isSwitchedOff(event)) return;
      event.preventDefault();
      if (!isIdleRepeat(event)) action();
    };
    // These stay, and are added once: forms keep some keys for themselves.
    for (const kind of ['keydown', 'click']) addEventListener(kind, noteTyping, true);
    addEventListener('keydown', act);
    return () => removeEventListener('keydown', act);
  }, []);
};

/** What each key does, for who asks. */
export const shortcutTexts: readonly (readonly [keys: string, meaning: string])[] = [
  ['j k', 'Next and previous version'],
  ['Enter', 'Open it'],
  ['a', 'Approve it, or all that are selected'],
  ['r', 'Reject it, or all that are selected'],
  ['u', 'Undo the newest decision, within 5 seconds'],
  ['x', 'Select it'],
  ['Shift J K', 'Select it and the next, or the previous one'],
  ['Shift X', 'Select all pending versions that are shown, or none'],
  ['/', 'Search'],
  ['Escape', 'Leave a form, a selection, a package'],
  ['?', 'Show these keys'],
];
