import { dayMs } from '../../util/duration.ts';
import { comparisonCodes } from '../changes/change-issues.ts';
import { findProvenanceFault } from '../facts/provenance.ts';
import { describeWithdrawal, type FactsSummary } from '../facts/summary.ts';
import type { Issue, IssueCode } from './approval.ts';

/** Latest time that a date can have. */
const endOfTime = 8.64e15;

/** Returns when a version reaches an age in days; undefined if its publication date is unknown. */
export const findComingOfAge = (
  days: number,
  facts: Pick<FactsSummary, 'published_at'> | null,
): Date | undefined =>
  facts?.published_at
    ? new Date(Math.min(Date.parse(facts.published_at) + days * dayMs, endOfTime))
    : undefined;

function* generateFactIssues(
  facts: FactsSummary,
  {
    minimumAgeDays,
    now,
  }: {
    readonly minimumAgeDays: number;
    readonly now: Date;
  },
): Generator<Issue> {
  if (facts.found === 'no') {
    const message =
      facts.name_found === false
        ? 'Upstream has no package of this name, so anyone could register it (dependency confusion). Check the name before you approve it.'
        : 'Upstream has the package, but not this version.';
    yield { code: 'not_found_at_origin', message };
  }
  if (facts.deprecated !== null) {
    const message = describeWithdrawal('deprecated it', facts.deprecated);
    yield { code: 'deprecated', message };
  }
  if (facts.yanked !== null) {
    yield { code: 'yanked', message: describeWithdrawal('yanked it', facts.yanked) };
  }
  const fault = findProvenanceFault(facts.provenance);
  if (fault !== undefined) yield { code: 'provenance_invalid', message: fault };
  const ofAge = findComingOfAge(minimumAgeDays, facts);
  if (ofAge && now < ofAge) {
    const until = ofAge.toISOString().slice(0, 10);
    const message = `It was published ${facts.published_at}, less than the required ${minimumAgeDays} days ago: it is too young until ${until}.`;
    yield { code: 'too_young', message };
  }
  if (facts.install_scripts) {
    yield { code: 'install_scripts', message: 'It runs scripts at installation.' };
  }
  yield* facts.comparison?.issues ?? [];
}

/** Returns the issues in the upstream metadata of a version, or none if it was not fetched yet. */
export const listFactIssues = (
  facts: FactsSummary | null,
  context: Parameters<typeof generateFactIssues>[1],
): Issue[] => (facts === null ? [] : [...generateFactIssues(facts, context)]);

/** Codes of the issues in upstream metadata that depend on no setting and on no time: all but the age. */
export const timelessIssues: readonly IssueCode[] = [
  'not_found_at_origin',
  'deprecated',
  'yanked',
  'provenance_invalid',
  'install_scripts',
  ...comparisonCodes,
];

/** Returns the codes of a version's issues in upstream metadata that depend on no setting and on no time. */
export const listTimelessIssues = (facts: FactsSummary | null): IssueCode[] => {
  const issues = listFactIssues(facts, { minimumAgeDays: 0, now: new Date(endOfTime) });
  const found = new Set(issues.map(({ code }) => code));
  return timelessIssues.filter((code) => found.has(code));
};
