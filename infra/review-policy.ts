import { explainPolicyFaults, ReviewPolicy } from '../shared/api/schemas/policy.ts';
import { findPreset } from '../shared/domain/policy/presets.ts';
import type { ReviewPolicy as DomainPolicy } from '../shared/domain/policy/rule.ts';
import { readJsonFile } from './read-project-file.ts';
import { SettingsError } from './settings-error.ts';

/**
 * Returns the review policy of a preset such as `balanced@2`, or of a JSON file.
 * @throws {SettingsError} with one line for each error in the file
 */
export const readReviewPolicy = (path: string): DomainPolicy => {
  const preset = findPreset(path);
  if (preset) return preset;
  const input = readJsonFile('reviewPolicy', path);
  const parsed = ReviewPolicy.safeParse(input);
  if (parsed.success) return parsed.data;
  const faults = explainPolicyFaults(input, parsed.error);
  throw new SettingsError(faults.map((fault) => `reviewPolicy: ${path}: ${fault}`).join('\n'));
};
