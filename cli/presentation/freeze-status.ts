import type { FreezeStatus } from '../../shared/api/schemas/freeze.ts';
import { formatWithSentence } from '../output/details.ts';
import type { Output } from '../output/terminal.ts';

/** Formats the freeze in force. */
export const showFreezeStatus = ({ freeze }: FreezeStatus, output: Output): readonly string[] =>
  freeze === null
    ? ['The registry is not frozen.']
    : formatWithSentence('The registry is frozen.', freeze, output);
