import type { FormatReader } from '../../lockfiles/format-reader.ts';
import { readYarn1Lock } from './yarn-1.ts';
import { readBerryLock } from './yarn-berry.ts';

export const yarnLock: FormatReader = {
  format: 'yarn.lock',
  named: /(?:^|\/)yarn\.lock$/,
  read: (text) => (/^__metadata:/m.test(text) ? readBerryLock(text) : readYarn1Lock(text)),
};
