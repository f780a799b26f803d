import { maxNearest } from '../../../shared/domain/packages/check-limits.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import {
  counts,
  type Finding,
  type FindingStatus,
  findingStatuses,
  isFrozenFinding,
  isOwnFinding,
  isSubmittable,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { countBy, formatTally } from '../../output/tally.ts';
import { formatCount, toOneLine } from '../../output/text.ts';
import { type CheckReport, failsCheck } from './report.ts';
import { remarkOnTags } from './tag-warnings.ts';

const statusWords: Readonly<Record<FindingStatus, string>> = {
  approved: 'approved',
  pending: 'pending',
  unknown: 'not in the registry',
  rejected: 'rejected',
  other_content: 'with other content than reviewed',
  other_source: 'from another source',
  unpinned: 'without an exact version',
  unreadable: 'unreadable',
};

const describeKind = (finding: Finding): string =>
  isFrozenFinding(finding) ? 'frozen' : statusWords[finding.status];

const countKinds = (failing: readonly Finding[]): string =>
  ['frozen', ...findingStatuses.map((status) => statusWords[status])]
    .flatMap((kind) => {
      const count = failing.filter((finding) => describeKind(finding) === kind).length;
      return count === 0 ? [] : [`${formatCount(count)} ${kind}`];
    })
    .join(', ');

const describePackage = ({ ecosystem, name, version }: Finding): string =>
  formatPackage({ ecosystem, name, version });

/** Returns one sentence with the number of packages that are not allowed. */
export const summarize = ({ packages, files }: CheckReport): string => {
  const failing = packages.filter(counts);
  const known = packages.filter(({ in_baseline }) => in_baseline).length;
  const total = packages.length;
  const places = files.length === 1 ? '1 file' : `${formatCount(files.length)} files`;
  const where = files.length === 0 ? '' : ` in ${places}`;
  const all = `${formatCount(total)} ${total === 1 ? 'package' : 'packages'}${where}`;
  const [only] = packages;
  if (files.length === 0 && total === 1 && only && failing.length === 1) {
    return `${describePackage(only)} is not allowed: ${describeKind(only)}.`;
  }
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
  if (total > 1) return `All ${all} are allowed.`;
  return files.length === 0 && only
    ? `${describePackage(only)} is allowed.`
    : `The ${all} is allowed.`;
};

/** Returns one sentence with the number of incomplete files that fail the check; empty without one. */
export const explainClosure = (report: CheckReport): string => {
  const count = report.not_checked.filter((gap) => failsCheck(gap, report)).length;
  if (count === 0) return '';
  const do_not = count === 1 ? '1 file does not' : `${formatCount(count)} files do not`;
  return `--require-closure failed: ${do_not} list everything that is installed.`;
};

/** Returns the result in a few words. */
export const describeVerdict = ({ allowed, packages }: CheckReport): string => {
  if (!allowed) return 'not all allowed';
  return packages.some(({ in_baseline }) => in_baseline) ? 'nothing new' : 'all allowed';
};

/** Versions beyond these are counted, and not named. */
const mostNamed = 5;

const countMore = (total: number): string[] =>
  total > mostNamed ? [`and ${formatCount(total - mostNamed)} more, which --json lists`] : [];

/** Returns one sentence for each approved version with issues, after one with their number. */
const remarkOnApproved = (packages: readonly Finding[]): string[] => {
  const doubtful = packages.filter(
    ({ status, reasons }) => status === 'approved' && reasons.length > 0,
  );
  if (doubtful.length === 0) return [];
  const have = doubtful.length === 1 ? 'version has' : 'versions have';
  return [
    `${formatCount(doubtful.length)} approved ${have} issues today.`,
    ...doubtful
      .slice(0, mostNamed)
      .map(
        (one) => `${describePackage(one)}: ${one.reasons.map(({ message }) => message).join(' ')}`,
      ),
    ...countMore(doubtful.length).map((more) => `${more}.`),
  ];
};

/** The registry finds the nearest approved version only for the worst packages. */
const remarkOnNearest = (packages: readonly Finding[]): string[] => {
  const refused = packages.filter((finding) => counts(finding) && finding.ecosystem !== null);
  const looked = refused.filter(({ nearest_approved }) => nearest_approved !== undefined).length;
  if (looked < maxNearest || looked === refused.length) return [];
  return [`The nearest approved version is shown for the ${formatCount(looked)} worst packages.`];
};

/** Returns the outcome of `--submit`, with the names of the first versions. */
const remarkOnSubmission = (submission: CheckReport['submission']): string[] => {
  if (!submission) return [];
  const { submitted, known, refused, failed, submitted_packages } = submission;
  const others = Object.entries({ 'already known': known, refused, failed })
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `, ${formatCount(count)} ${kind}`);
  if (submitted === 0 && others.length === 0) return ['There was nothing to submit.'];
  const named = submitted_packages.slice(0, mostNamed).map(formatPackage);
  const which = submitted > 0 ? ` (${[...named, ...countMore(submitted)].join(', ')})` : '';
  return [`${formatCount(submitted)} submitted for review${which}${others.join('')}.`];
};

/** Returns the outcome of `--record`. */
const remarkOnRecording = ({ recording, allowed }: CheckReport): string[] => {
  if (!recording) return [];
  const { project, ref, number, versions, changed, added, removed, left_out } = recording;
  const change = changed
    ? `snapshot ${number}: ${formatCount(added)} added, ${formatCount(removed)} removed`
    : `unchanged since snapshot ${number}`;
  const anyway = allowed ? '' : ', although the check failed';
  const left = left_out === 0 ? '' : ` ${formatCount(left_out)} left out: no valid version.`;
  return [
    `Recorded ${formatCount(versions)} ${versions === 1 ? 'version' : 'versions'} as ${project} (${ref})${anyway}, ${change}.${left}`,
  ];
};

/** Returns one sentence with the number of decisions of each rule, and of people. */
const remarkOnDecisions = (packages: CheckReport['packages']): string[] => {
  const decided = packages.filter(({ status, reasons }) => {
    const isDecided = status === 'approved' || status === 'rejected';
    return isDecided && !isOwnFinding({ reasons });
  });
  const counts = countBy(decided, ({ status, rule }) =>
    rule === null ? `${status} by people` : `${status} by the rule ${rule}`,
  );
  return counts.length === 0 ? [] : [`${formatTally(counts)}.`];
};

/** What a version waits for, with the rule: the end of a sentence about some versions. */
const describeWait = ({ rule, waits_for }: Finding): string => {
  const by = rule === null ? '' : ` (rule ${rule})`;
  if (waits_for.includes('review')) return `needing a review${by}`;
  if (waits_for.includes('freeze')) return `waiting for the end of the freeze${by}`;
  if (waits_for.includes('age')) return `waiting for the required age${by}`;
  return waits_for.includes('rules')
    ? 'waiting for rules or a review'
    : 'waiting for automatic checks';
};

/** Returns the versions that still need a decision, by what they wait for, and the page to review them. */
const remarkOnWaiting = ({ packages, submission }: CheckReport): string[] => {
  const waiting = packages.filter(({ status }) => status === 'pending');
  const counts = countBy(waiting, describeWait);
  if (counts.length === 0) return [];
  const ages = waiting.flatMap(({ waits_until }) => waits_until ?? []).sort();
  const last = ages.at(-1)?.slice(0, 10);
  const until = last === undefined ? '' : ` The last of them reaches its age on ${last}.`;
  const page = submission?.review_url;
  return [`Pending: ${formatTally(counts)}.${until}`, ...(page ? [`Review them at ${page}`] : [])];
};

const remarkOnOwn = (packages: CheckReport['packages']): string[] => {
  const count = packages.filter((one) => one.allowed && isOwnFinding(one)).length;
  if (count === 0) return [];
  const own = count === 1 ? 'own package needs' : 'own packages need';
  return [`${formatCount(count)} ${own} no review.`];
};

const remarkOnContents = ({ contents: { unknown, without_hash } }: CheckReport): string[] => {
  const count = unknown + without_hash;
  if (count === 0) return [];
  const of = `The files of ${formatCount(count)} ${count === 1 ? 'package' : 'packages'} were not compared with the reviewed files`;
  const why = [
    ...(without_hash > 0
      ? [`${formatCount(without_hash)} without a checksum in the lockfile`]
      : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} without a checksum in the registry`] : []),
  ];
  return [`${of}: ${why.join(', ')}.`];
};

/** Lists the allowed indexes and pages of links, one line each; the others are findings. */
export const listAllowedSources = ({ sources }: CheckReport): readonly string[] =>
  sources
    .filter(({ allowed }) => allowed)
    .map(({ file, line, kind, address }) =>
      toOneLine(`${file}${line === undefined ? '' : `:${line}`}: ${kind} ${address} is allowed.`),
    );

/** Lists the notes on files, one line each. */
export const listFileNotes = ({ notes }: CheckReport): readonly string[] =>
  notes.map(({ file, message }) => toOneLine(`${file}: ${message}`));

/** Lists remarks on the result, one sentence each. */
export const listRemarks = (report: CheckReport): readonly string[] => [
  ...remarkOnSubmission(report.submission),
  ...(report.submission ? [...remarkOnDecisions(report.packages), ...remarkOnWaiting(report)] : []),
  ...remarkOnRecording(report),
  ...remarkOnOwn(report.packages),
  // Named versions have no hashes, and the table has their issues.
  ...(report.files.length === 0
    ? []
    : [...remarkOnContents(report), ...remarkOnApproved(report.packages)]),
  ...remarkOnTags(report),
  ...remarkOnNearest(report.packages),
];

/**
 * Returns how to submit the versions that are not in the registry; empty without one.
 * @param how the end of the sentence
 */
export const adviseToSubmit = ({ packages }: CheckReport, how = 'add --submit'): string => {
  const count = packages.filter((one) => isSubmittable(one) && !one.allowed).length;
  if (count === 0) return '';
  const which = count === 1 ? 'the version that is' : `the ${formatCount(count)} versions that are`;
  return `To submit ${which} not in the registry, ${how}.`;
};
