export const packageDescription =
  'the package: lodash, @types/node@22.1.0, org.slf4j:slf4j-api@2.0.9, nginx:1.27.3, npm:lodash@4.17.21, or a package URL such as pkg:npm/lodash@4.17.21';

export const packagesDescription =
  'npm:left-pad@1.3.0, nginx:1.27.3, or a package URL such as pkg:npm/left-pad@1.3.0; - for one a line on standard input';

/** The descriptions of flags in the help, by the names of parameters and fields. A command may describe its own. */
export const flagDescriptions: Readonly<Record<string, string>> = {
  after: 'continue a list: `next` of the page before',
  allows_commercial: 'it allows commercial use; --no-allows-commercial: it does not',
  approved_by: 'the approver, such as ana@example.com; the label of the token unless given',
  batch: 'the batch, a name for submissions that belong together',
  category: 'its kind',
  cause: 'only versions that the registry submitted itself for this cause',
  demand: 'only versions that at least this many batches request',
  description: 'what the package does',
  end: 'end the claim',
  force: 'keep a report that names another image, package or version',
  expected_evidence_version:
    'only if its evidence still has this version, the evidence_version of show --evidence --json',
  expected_status: 'only if the version still has this status',
  ecosystem: 'the ecosystem of the package',
  homepage: 'the URL of its home page',
  issue: 'only versions with this issue',
  justification: 'why the package is needed, for the reviewer',
  accept_recall:
    'approve a version in spite of this record of malware, such as MAL-2026-2307; needs a reason',
  keep: 'keep the expiry date of an approval in force, and confirm it after a change upstream; needs a reason',
  label: 'only versions that a token with this label submitted',
  license: 'its license, preferably as an SPDX identifier or expression',
  license_status: 'only versions whose effective license has this status',
  limit: 'the maximum number of entries, 100 unless given',
  name: 'its name, such as lodash, @types/node or org.slf4j:slf4j-api',
  note: 'a remark',
  number: 'the number of one scan, which the column SCAN shows; all scans together unless given',
  offset: 'skip this many entries',
  override:
    'approve despite these blocking issues, comma-separated, or despite all of them without a list; needs a reason',
  question: 'ask a question, which is open until the next decision or comment',
  reason: 'why; needed to reject, to reverse a decision, and to override',
  rejected_by: 'the reviewer, such as ana@example.com; the label of the token unless given',
  repository: 'the URL of its source code',
  requires_attribution: 'it requires attribution; --no-requires-attribution: it does not',
  reviewed_by: 'the reviewer, such as ana@example.com; the label of the token unless given',
  search: 'a part of the name, or the start of a word of the description',
  severity: 'only versions with an open vulnerability of this severity or a higher one',
  since:
    'the version to compare with; unless given, the nearest approved version below, or else the one that was published last before',
  sort: 'by time of submission; with - newest first',
  status: 'only versions with this status',
  submitter: 'only versions by this name, or by a token with this label',
  submitted_by: 'the submitter, such as ana@example.com; the label of the token unless given',
  text: 'the comment',
  title: 'its full name',
  version: 'the version',
  waiting_days: 'only versions that were submitted at least this many days ago',
};

/** The flags of fields whose meaning has the same flag in every command, by the names of the fields. */
export const flagNames: Readonly<Record<string, string>> = {
  approved_by: 'by',
  justification: 'reason',
  rejected_by: 'by',
  reviewed_by: 'by',
  submitted_by: 'by',
};

/** The letters of the flags that are typed most, by the names of parameters and fields. */
export const flagLetters: Readonly<Record<string, string>> = {
  ecosystem: 'e',
  justification: 'r',
  limit: 'n',
  reason: 'r',
  search: 'S',
  status: 's',
};
