import * as z from 'zod';
import { digits } from './query.ts';
import { VersionFilter, VersionSelection } from './version-query.ts';

const scanNumberRule = 'must be a whole number from 1 to 99999999';

const ScanNumber = digits(scanNumberRule)
  .transform(Number)
  .pipe(z.int().min(1, { error: scanNumberRule }).max(99_999_999, { error: scanNumberRule }))
  .optional();

/** Selection of one scan of a version by number; without a number, of the merged scan. */
export const ScanSelection = VersionFilter.extend({
  number: ScanNumber.describe('Number of one scan. Without it, the newest scans are merged.'),
});

/** Selection of the scans to dismiss. */
export const ScanDismissalQuery = VersionSelection.extend({
  tool: z
    .string()
    .min(1, { error: 'is required' })
    .max(1200)
    .describe("The name of the tool, as in `tools` of the version's scan."),
  label: z
    .string()
    .max(255)
    .optional()
    .describe('The label of the token of the scans. Without it, scans by a token without a label.'),
  number: ScanNumber.describe(
    'Number of the newest scan of the source, as in `tools`. Required if several sources have the same tool and label.',
  ),
});
