import * as z from 'zod';
import { flagWords } from './query.ts';
import { VersionSelection } from './version-query.ts';

/** Yes or no, no where it is left out. */
const Flag = z
  .enum(flagWords, { error: 'must be true or false' })
  .prefault('false')
  .transform((word) => word === 'true');

/** What a report is uploaded to. */
export const UploadQuery = VersionSelection.extend({
  force: Flag.describe('Keep a report all the same that is plainly about something else.'),
});
