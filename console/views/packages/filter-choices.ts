import { statedStatuses } from '../../../shared/domain/licenses/license-status.ts';
import { issueCodes } from '../../../shared/domain/review/approval.ts';
import { attentionReasons } from '../../../shared/domain/review/attention.ts';
import { submissionCauses } from '../../../shared/domain/review/automatic-submission.ts';
import { statuses } from '../../../shared/domain/review/status.ts';
import { severities } from '../../../shared/domain/vulnerabilities/severity.ts';
import { ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { describeIssueCode } from '../../parts/issue-code.ts';
import { attentionLabels } from '../../parts/status-marks.tsx';
import type { FilterName, Filters, Source } from './filters.ts';

/** A value of a filter, in words. */
type Choice = readonly [value: string, text: string];

/** A filter, with its values. A filter without values takes a text. */
export interface FilterChoices {
  readonly name: FilterName;
  readonly label: string;
  readonly choices: readonly Choice[];
}

const toChoices = (values: readonly string[]): Choice[] =>
  values.map((value) => [value, value.replaceAll('_', ' ')]);

const severityChoices: readonly Choice[] = severities.map((severity, at) => {
  if (severity === 'unrated') return [severity, 'unknown severity'];
  return [severity, at === 0 ? severity : `${severity} or worse`];
});

const issueChoices: readonly Choice[] = [
  ['none', 'no issues'],
  ...issueCodes.map((code): Choice => [code, describeIssueCode(code)]),
];

const days = [1, 3, 7, 30];
const demands = [2, 3, 5, 10];

/** The filters in the order of the menu. */
const allChoices: readonly FilterChoices[] = [
  {
    name: 'reason',
    label: 'Reason',
    choices: attentionReasons.map((reason) => [reason, attentionLabels[reason]]),
  },
  { name: 'status', label: 'Status', choices: toChoices(statuses) },
  { name: 'ecosystem', label: 'Ecosystem', choices: toChoices(ecosystems) },
  { name: 'issue', label: 'Issue', choices: issueChoices },
  { name: 'severity', label: 'Severity', choices: severityChoices },
  { name: 'license_status', label: 'License', choices: toChoices(statedStatuses) },
  {
    name: 'age',
    label: 'Waiting',
    choices: days.map((count) => [
      `${count}`,
      count === 1 ? '1 day or more' : `${count} days or more`,
    ]),
  },
  {
    name: 'demand',
    label: 'Requested by',
    choices: demands.map((count) => [`${count}`, `${count} batches or more`]),
  },
  { name: 'cause', label: 'Submitted as', choices: toChoices(submissionCauses) },
  { name: 'submitter', label: 'Submitter', choices: [] },
  { name: 'batch', label: 'Batch', choices: [] },
];

const reviewNames: readonly FilterName[] = [
  ...(['ecosystem', 'issue', 'severity', 'license_status', 'age', 'demand'] as const),
  ...(['cause', 'submitter', 'batch'] as const),
];

const offered: Readonly<Record<Source, readonly FilterName[]>> = {
  queue: reviewNames,
  attention: ['reason', 'ecosystem'],
  packages: ['status', 'ecosystem', 'batch'],
  submissions: ['status', 'ecosystem', 'issue', 'severity'],
};

/** Returns the filters that a list has. */
export const listFilterChoices = (source: Source, { batch }: Filters): FilterChoices[] => {
  const isBatch = source === 'packages' && batch !== '';
  const names = isBatch ? ['status', ...reviewNames] : offered[source];
  return allChoices.filter(({ name }) => names.includes(name));
};

/** Describes a filter that is set: `Issue: license rejected`. */
export const describeFilter = ({ label, choices }: FilterChoices, value: string): string => {
  const [, text = value] = choices.find(([choice]) => choice === value) ?? [];
  return `${label}: ${text}`;
};

const orders: readonly Choice[] = [
  ['', 'Oldest first'],
  ['-submitted_at', 'Newest first'],
];

const rankedOrders: readonly Choice[] = [
  ['severity', 'Most severe first'],
  ['demand', 'Most requested first'],
];

/** Returns the orders that a list has; none if it has one order. */
export const listOrders = (source: Source, { batch }: Filters): readonly Choice[] => {
  if (source === 'attention') return [];
  if (source === 'submissions')
    return [
      ['', 'Newest first'],
      ['submitted_at', 'Oldest first'],
    ];
  return source === 'queue' && batch === '' ? [...orders, ...rankedOrders] : orders;
};

/** The groups that lists have. */
export const groupChoices: readonly Choice[] = [
  ['', 'No groups'],
  ['package', 'By package'],
];
