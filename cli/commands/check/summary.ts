import { maxNearest } from '../../../shared/api/schemas/check.ts';
import {
  counts,
  type Finding,
  type FindingStatus,
  findingStatuses,
  isSubmittable,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import { type CheckReport, failsCheck } from './report.ts';

const statusWords: Readonly<Record<FindingStatus, string>> = {
  approved: 'approved',
  pending: 'waiting for review',
  unknown: 'never submitted',
  rejected: 'rejected',
  other_content: 'with other content than was reviewed',
  other_source: 'from another source',
  unpinned: 'without a version that can be told',
  unreadable: 'unreadable',
};

const countKinds = (failing: readonly Finding[]): string =>
  findingStatuses
    .flatMap((status) => {
      const count = failing.filter((finding) => finding.status === status).length;
      return count === 0 ? [] : [`${formatCount(count)} ${statusWords[status]}`];
    })
    .join(', ');

/** In a sentence: what is not allowed, and how much of it. */
export const summarize = ({ packages, files }: CheckReport): string => {
  const failing = packages.filter(counts);
  const known = packages.filter(({ in_baseline }) => in_baseline).length;
  const total = packages.length;
  const places = files.length === 1 ? '1 file' : `${formatCount(files.length)} files`;
  const all = `${formatCount(total)} ${total === 1 ? 'package' : 'packages'} in ${places}`;
  if (failing.length > 0) {
    const are = failing.length === 1 ? 'is' : 'are';
    const rest = `${formatCount(known)} more ${known === 1 ? 'was' : 'were'} not allowed before`;
    return `${formatCount(failing.length)} of ${all} ${are} not allowed: ${countKinds(failing)}${known === 0 ? '' : `; ${rest}`}.`;
  }
  if (known > 0) {
    const were = known === 1 ? 'was' : 'were';
    return `Nothing new: ${formatCount(known)} of ${all} ${were} not allowed before.`;
  }
  if (total === 0) return `There are no packages in ${places}.`;
  return total === 1 ? `The ${all} is allowed.` : `All ${all} are allowed.`;
};

/** In a sentence: how many files fail the check as they are not whole; nothing where none does. */
export const explainClosure = (report: CheckReport): string => {
  const count = report.not_checked.filter((gap) => failsCheck(gap, report)).length;
  if (count === 0) return '';
  const do_not = count === 1 ? '1 file does not' : `${formatCount(count)} files do not`;
  return `--require-closure failed: ${do_not} list everything that is installed.`;
};

/** The same in a few words. */
export const judge = ({ allowed, packages }: CheckReport): string => {
  if (!allowed) return 'not all allowed';
  return packages.some(({ in_baseline }) => in_baseline) ? 'nothing new' : 'all allowed';
};

const remarkOnApproved = (packages: readonly Finding[]): string[] => {
  const doubtful = packages.filter(
    ({ status, reasons }) => status === 'approved' && reasons.length > 0,
  ).length;
  if (doubtful === 0) return [];
  const have = doubtful === 1 ? 'version has' : 'versions have';
  const them = doubtful === 1 ? 'it' : 'them';
  return [
    `${formatCount(doubtful)} approved ${have} something against ${them} today: --json says what.`,
  ];
};

/** The registry looks for a nearest version of a bounded number, the worst ones. */
const remarkOnNearest = (packages: readonly Finding[]): string[] => {
  const refused = packages.filter((finding) => counts(finding) && finding.ecosystem !== null);
  const looked = refused.filter(({ nearest_approved }) => nearest_approved !== undefined).length;
  if (looked < maxNearest || looked === refused.length) return [];
  return [`The nearest approved version was looked up for the ${formatCount(looked)} worst.`];
};

/** How many were submitted, and how many not. */
const remarkOnSubmission = (submission: CheckReport['submission']): string[] => {
  if (!submission) return [];
  const { submitted, known, refused, failed } = submission;
  const others = Object.entries({ 'already known': known, refused, failed })
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `, ${formatCount(count)} ${kind}`);
  if (submitted === 0 && others.length === 0) return ['There was nothing to submit.'];
  return [`${formatCount(submitted)} submitted for review${others.join('')}.`];
};

const remarkOnContents = ({ contents: { unknown, without_hash } }: CheckReport): string[] => {
  const count = unknown + without_hash;
  if (count === 0) return [];
  const of = `The content of ${formatCount(count)} ${count === 1 ? 'package' : 'packages'} was not compared`;
  const why = [
    ...(without_hash > 0 ? [`the files have no hash of ${formatCount(without_hash)}`] : []),
    ...(unknown > 0 ? [`the registry knows no files of ${formatCount(unknown)}`] : []),
  ];
  return [`${of}: ${why.join(', ')}.`];
};

/** Each index and page of links that may be used, a line each; the others stand among what is not allowed. */
export const listAllowedSources = ({ sources }: CheckReport): readonly string[] =>
  sources
    .filter(({ allowed }) => allowed)
    .map(({ file, line, kind, address }) =>
      toOneLine(`${file}${line === undefined ? '' : `:${line}`}: ${kind} ${address} is allowed.`),
    );

/** What to know of files, a line each. */
export const listFileNotes = ({ notes }: CheckReport): readonly string[] =>
  notes.map(({ file, message }) => toOneLine(`${file}: ${message}`));

/** What is to be known besides the verdict, a sentence each. */
export const listRemarks = (report: CheckReport): readonly string[] => [
  ...remarkOnSubmission(report.submission),
  ...remarkOnContents(report),
  ...remarkOnApproved(report.packages),
  ...remarkOnNearest(report.packages),
];

/**
 * How to ask for what nobody submitted; nothing where there is none.
 * @param how completes the sentence
 */
export const adviseToSubmit = ({ packages }: CheckReport, how = 'add --submit'): string => {
  const count = packages.filter(isSubmittable).length;
  if (count === 0) return '';
  const which = count === 1 ? 'the one' : `the ${formatCount(count)}`;
  return `To ask for ${which} that nobody submitted, ${how}.`;
};
