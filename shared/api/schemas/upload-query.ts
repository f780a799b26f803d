import * as z from 'zod';
import { flagWords } from './query.ts';
import { VersionSelection } from './version-query.ts';

/** Boolean query parameter; false by default. */
const Flag = z
  .enum(flagWords, { error: 'must be true or false' })
  .prefault('false')
  .transform((word) => word === 'true');

/** Query of a report upload: the version, and `force`. */
export const UploadQuery = VersionSelection.extend({
  force: Flag.describe('Accepts a report about another subject.'),
});
