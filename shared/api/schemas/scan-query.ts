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
  number: ScanNumber.describe(
    "This scan of the version, and not the latest: a decision's evidence names it.",
  ),
});

/** Selection of the scans to dismiss. */
export const ScanRetirementQuery = VersionSelection.extend({
  tool: z
    .string()
    .min(1, { error: 'is required' })
    .max(1200)
    .describe("The tool, as `tools` of the version's scans names it."),
  label: z
    .string()
    .max(255)
    .optional()
    .describe('The label of the token that they were sent with; left out: a token without one.'),
  number: ScanNumber.describe(
    'That of the newest of them, as `tools` says: where several are by the same tool and label.',
  ),
});
