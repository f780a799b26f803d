import { createStore, useStore } from './store.ts';

/** The last thing that was done: shown for a while, and read out. */
interface Announcement {
  readonly text: string;
  readonly number: number;
}

const shownMs = 6000;

const announcement = createStore<Announcement>({ text: '', number: 0 });

/** Says what was done, in one line. */
export const announce = (text: string): void => {
  const number = announcement.get().number + 1;
  announcement.set(() => ({ text, number }));
  setTimeout(() => {
    if (announcement.get().number === number) announcement.set(() => ({ text: '', number }));
  }, shownMs);
};

export const useAnnouncement = (): string => useStore(announcement).text;
