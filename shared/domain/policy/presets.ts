import { comparisonCodes } from '../changes/change-issues.ts';
import type { PolicyRule, ReviewPolicy } from './rule.ts';

const malware: PolicyRule = {
  name: 'malware',
  when: { malware: true },
  then: 'reject',
  reason: 'OSV.dev lists it as a malicious package',
};

const notFound: PolicyRule = {
  name: 'not-found',
  when: { found: ['no'] },
  then: 'hold',
  reason: 'Its origin does not have it: a mistyped name, or a package of your own',
};

const rejectedLicense: PolicyRule = {
  name: 'license-rejected',
  when: { license: ['rejected'] },
  then: 'reject',
  reason: 'The license policy rejects its license',
};

const withdrawn: PolicyRule = {
  name: 'withdrawn',
  when: { deprecated: true },
  then: 'hold',
  reason: 'Its publisher has deprecated or yanked it',
};

const scanFailed: PolicyRule = {
  name: 'scan-failed',
  when: { scan: ['failed', 'missing'] },
  then: 'hold',
  reason: 'Its scans failed, or no trusted scan has finished',
};

/** Age in days that presets require, of approvals by rules and, unless a setting says otherwise, by people. */
export const presetAgeDays = 7;

const proven: PolicyRule['when'] = {
  found: ['yes'],
  license: ['approved'],
  scan: ['passed'],
  deprecated: false,
  minimum_age_days: presetAgeDays,
};

/** Rules that leave a version with an issue of a comparison to people. */
const compared: readonly PolicyRule[] = [
  {
    name: 'new-dependency',
    when: { new_dependency_young: true },
    then: 'hold',
    reason: 'It adds a dependency that was first published recently',
  },
  {
    name: 'new-install-script',
    when: { install_scripts_added: true },
    then: 'hold',
    reason: 'It adds or changes a script that runs at installation',
  },
  {
    name: 'other-publisher',
    when: { publisher_changed: true },
    then: 'hold',
    reason: 'Its publisher did not publish the versions before it',
  },
  {
    name: 'lost-provenance',
    when: { provenance_lost: true },
    then: 'hold',
    reason: 'It has no provenance attestation, in contrast to an earlier version',
  },
  {
    name: 'other-repository',
    when: { repository_changed: true },
    then: 'hold',
    reason: 'It names another repository than an earlier version',
  },
  {
    name: 'similar-name',
    when: { similar_name: true },
    then: 'hold',
    reason: 'Its name resembles that of an approved package',
  },
];

/** Conditions that no comparison found an issue. They do not hold as long as a value is unknown. */
const unsuspicious: PolicyRule['when'] = Object.fromEntries(
  comparisonCodes.map((code) => [code, false]),
);

const cautious = [malware, notFound, rejectedLicense, withdrawn, scanFailed];

/** Ready-made policies by name. A number never changes its rules: changed rules get the next number. */
const presets: Readonly<Record<string, ReviewPolicy>> = {
  'balanced@1': {
    rules: [
      ...cautious,
      {
        name: 'of-age',
        when: proven,
        then: 'approve',
        reason: 'Published a week ago, with an approved license and passed scans',
      },
    ],
  },
  'balanced@2': {
    rules: [
      ...cautious,
      ...compared,
      {
        name: 'of-age',
        when: { ...proven, ...unsuspicious },
        then: 'approve',
        reason:
          'Published a week ago, with an approved license, passed scans and no suspicious change',
      },
    ],
  },
  'strict@1': {
    rules: [
      ...cautious,
      {
        name: 'known-major',
        when: { ...proven, approved_major: true },
        then: 'approve',
        reason: 'A version of an approved major version, published a week ago, with passed scans',
      },
    ],
  },
  'observe@1': {
    rules: [{ name: 'observe', when: {}, then: 'hold', reason: 'People decide on all versions' }],
  },
};

/** Names of all presets, such as `balanced@1`. */
export const presetNames: readonly string[] = Object.keys(presets);

/** Returns a preset by its name, such as `balanced@1`. A name without a number means the newest. Undefined for other text. */
export const findPreset = (name: string): ReviewPolicy | undefined => {
  const found = presetNames.filter((one) => one === name || one.split('@', 1)[0] === name);
  const newest = found.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
  return presets[newest.at(-1) ?? ''];
};
