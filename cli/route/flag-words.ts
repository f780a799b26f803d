/** What the groups of commands are about. */
export const groupWords: Readonly<Record<string, string>> = {
  license: 'What is known of licenses',
  policy: 'Rules that decide on what needs no person',
  scan: 'Security scans of packages',
  token: 'Tokens for those who write',
  vulnerability: 'Vulnerabilities, which packages have them, and which are lived with',
};

export const packageArgument =
  'the package: lodash, @types/node@22.1.0, org.slf4j:slf4j-api@2.0.9, nginx:1.27.3, npm:lodash@4.17.21, or a package URL such as pkg:npm/lodash@4.17.21';

export const manyArgument =
  'npm:left-pad@1.3.0, nginx:1.27.3, or a package URL such as pkg:npm/left-pad@1.3.0; - for one a line on standard input';

/** What the flags mean, by the names of parameters and fields. */
export const flagWords: Readonly<Record<string, string>> = {
  allows_commercial: 'it allows commercial use; --no-allows-commercial: it does not',
  approved_by: 'who approves, if not the owner of the token',
  category: 'of which kind it is',
  description: 'what the package does',
  force: 'keep a report all the same that is plainly about something else',
  expires: 'until when the approval holds: 90d for 90 days, or a day or time such as 2027-01-31',
  expected_evidence_version:
    'only if its evidence is still at this version, the evidence_version of show --evidence --json',
  expected_status: 'only if it stands there in its review',
  ecosystem: 'where the package is published',
  homepage: 'the address of its home page',
  justification: 'why it is wanted, for whoever decides',
  keep: 'keep an approval that is in force, with its end: settles what upstream caused; needs a reason',
  license: 'its license, best as an SPDX identifier or expression',
  limit: 'at most this many, 100 unless given',
  name: 'its name, such as lodash, @types/node or org.slf4j:slf4j-api',
  note: 'what else there is to know',
  number: 'the scan of this number, which a decision of the history names; else the latest',
  offset: 'leave out this many at the beginning',
  override:
    'approve in spite of these blocking issues, with commas between, or of all without a list; needs a reason',
  reason: 'why; needed to reject, to reverse a decision, and to override',
  rejected_by: 'who rejects, if not the owner of the token',
  repository: 'the address of its source code',
  requires_attribution: 'it requires attribution; --no-requires-attribution: it does not',
  reviewed_by: 'who decides, if not the owner of the token',
  search: 'part of a name, or the beginning of a word of the description',
  sort: 'by time of submission; with - newest first',
  status: 'only what stands there in its review',
  submitted_by: 'who submits, if not the owner of the token',
  title: 'its name in full',
  version: 'which version',
  view: 'full: with what matters for a decision, such as age, scans and what speaks against it',
};

/** The letters of the flags that are typed most, by the names of parameters and fields. */
export const flagLetters: Readonly<Record<string, string>> = {
  ecosystem: 'e',
  limit: 'n',
  reason: 'r',
  search: 'S',
  status: 's',
};
