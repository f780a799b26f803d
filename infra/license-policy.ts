import { LicensePolicy } from '../shared/api/schemas/license-policy.ts';
import { findKnownLicense } from '../shared/domain/licenses/catalogue.ts';
import { toLicenseKey } from '../shared/domain/licenses/license-terms.ts';
import { parseTerm } from '../shared/domain/licenses/parse-license.ts';
import { readJsonFile } from './read-project-file.ts';
import { SettingsError } from './settings-error.ts';

/** Returns whether the name is one SPDX license, with or without an exception. */
const isKnown = (name: string): boolean => {
  const term = parseTerm(name);
  return term !== undefined && findKnownLicense(term.license) !== undefined;
};

const toKey = (name: string): string | undefined => {
  const term = parseTerm(name);
  return term && toLicenseKey(term);
};

const findProblems = ({ licenses }: LicensePolicy): string[] => {
  const names = Object.keys(licenses);
  const unknown = names.filter((name) => !isKnown(name));
  const twice = names.filter(
    (name, at) => names.findIndex((other) => toKey(other) === toKey(name)) < at,
  );
  return [
    ...unknown.map(
      (name) => `licenses.${name} is not an SPDX identifier: see https://spdx.org/licenses/`,
    ),
    ...twice.map((name) => `licenses.${name} names a license twice`),
  ];
};

/** Returns the license policy of a JSON file. @throws {SettingsError} with one line for each error in it */
export const readLicensePolicy = (path: string): LicensePolicy => {
  const parsed = LicensePolicy.safeParse(readJsonFile('licensePolicy', path));
  const problems = parsed.success
    ? findProblems(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim());
  if (!parsed.success || problems.length > 0) {
    throw new SettingsError(
      problems.map((problem) => `licensePolicy: ${path}: ${problem}`).join('\n'),
    );
  }
  return parsed.data;
};
