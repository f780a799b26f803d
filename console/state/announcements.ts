import { createStore, useStore } from './store.ts';

/** A message that the page shows for a moment, and that screen readers read aloud. */
interface Announcement {
  readonly text: string;
  readonly number: number;
}

const shownMs = 6000;

const announcement = createStore<Announcement>({ text: '', number: 0 });

/** Shows a message of one line for some seconds. */
export const announce = (text: string): void => {
  const number = announcement.get().number + 1;
  announcement.set(() => ({ text, number }));
  setTimeout(() => {
    if (announcement.get().number === number) announcement.set(() => ({ text: '', number }));
  }, shownMs);
};

/** Returns the current message; empty if there is none. */
export const useAnnouncement = (): string => useStore(announcement).text;
