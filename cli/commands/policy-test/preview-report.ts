import type { PolicyPreview, PolicyPreviewResult } from '../../../shared/api/schemas/policy.ts';
import type { ReviewPolicy } from '../../../shared/domain/policy/rule.ts';
import { dropMilliseconds } from '../../../shared/util/drop-milliseconds.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { presentPackageCell } from '../../many/package-text.ts';
import { writeRows } from '../../output/result.ts';
import type { Terminal } from '../../output/terminal.ts';
import { toOneLine } from '../../output/text.ts';

type Result = PolicyPreviewResult;
type Unmet = PolicyPreview['unmet'][number];

/** Counts the decisions of each rule. Versions that no rule matches have `rule` null. */
const countByRule = ({ rules }: ReviewPolicy, results: readonly Result[]): JsonObject[] =>
  [...rules.map(({ name }) => name), null].map((rule) => {
    const ofRule = results.filter((result) => result.rule === rule);
    const count = (decision: Result['decision']): number =>
      ofRule.filter((result) => result.decision === decision).length;
    return {
      rule,
      approve: count('approve'),
      reject: count('reject'),
      hold: count('hold'),
      undecided: count(null),
    };
  });

const nameNone = (row: object): object => ({
  ...row,
  ...('rule' in row && row.rule === null && { rule: '(none)' }),
});

/** Most versions wait for nothing: their cell is empty. */
const showWaits = (row: object): object => ({
  ...presentPackageCell(row),
  waits_for: 'waits_for' in row ? String(row.waits_for) : '',
});

const columns = ['decision', 'rule', 'package', 'waits_for'];

const countIf = (results: readonly Result[], isCounted: (result: Result) => boolean): number =>
  results.filter(isCounted).length;

const summarizePending = (results: readonly Result[]): string => {
  const decided = (['approve', 'reject', 'hold'] as const).map(
    (action) => `${countIf(results, ({ decision }) => decision === action)} to ${action}`,
  );
  const waiting = countIf(results, ({ waits_for }) => waits_for.length > 0);
  const unmatched = countIf(results, ({ rule, waits_for }) => !rule && waits_for.length === 0);
  return `${results.length} pending: ${decided.join(', ')}; ${waiting} wait for metadata, a scan or their age, and ${unmatched} match no rule.`;
};

/** The actions of rules that match the decisions of people. */
const sameAction: Readonly<Record<string, Result['decision']>> = {
  approved: 'approve',
  rejected: 'reject',
};

const isAgreed = ({ status, decision }: Result): boolean => sameAction[status] === decision;

/** True if the rules would decide otherwise than the person did. A held version is left to people. */
const isContrary = (result: Result): boolean =>
  (result.decision === 'approve' || result.decision === 'reject') && !isAgreed(result);

const summarizeDecided = (results: readonly Result[]): string => {
  const agreed = countIf(results, isAgreed);
  const contrary = results.filter(isContrary);
  const approvals = countIf(contrary, ({ decision }) => decision === 'approve');
  return [
    `${results.length} decided by people: the rules agree on ${agreed}`,
    `would approve ${approvals} that people rejected`,
    `would reject ${contrary.length - approvals} that people approved`,
    `and leave ${results.length - agreed - contrary.length} to people.`,
  ].join(', ');
};

/** Lists versions that the rules would decide otherwise, first those that people rejected. */
const listContrary = (results: readonly Result[]): readonly Result[] => {
  const contrary = results.filter(isContrary);
  return [
    ...contrary.filter(({ status }) => status === 'rejected'),
    ...contrary.filter(({ status }) => status !== 'rejected'),
  ];
};

/** Adds the counts of pages. */
const addUnmet = (unmet: readonly Unmet[]): Unmet[] => {
  const sums = new Map<string, Unmet>();
  for (const one of unmet) {
    const key = JSON.stringify([one.rule, one.condition]);
    sums.set(key, { ...one, versions: (sums.get(key)?.versions ?? 0) + one.versions });
  }
  return [...sums.values()];
};

/** The previewed versions of all pages, counted by rule, why rules do not match, and the freeze in force. */
interface Preview {
  readonly freeze: PolicyPreview['freeze'];
  readonly rules: readonly JsonObject[];
  readonly unmet: readonly Unmet[];
  readonly results: readonly Result[];
}

/** Writes the preview as tables: the rules, their unmet conditions if asked, and the versions. */
export const writePreview = (
  { rules, unmet, results, freeze }: Preview,
  { out, err }: Terminal,
  { why, decided }: JsonObject,
): void => {
  const format = 'people';
  writeRows(rules, out, { format, presentRow: nameNone });
  if (why && unmet.length > 0) {
    out.write('\n');
    const unmetRows = unmet.map(({ rule, condition, versions }) => ({
      rule,
      first_unmet: condition,
      versions,
    }));
    writeRows(unmetRows, out, { format });
  }
  const shown = decided ? listContrary(results) : results;
  if (shown.length > 0) out.write('\n');
  writeRows(
    shown.map((result) => ({ ...result, by_people: result.status })),
    out,
    {
      format,
      columns: decided ? ['by_people', 'decision', 'rule', 'package'] : columns,
      presentRow: showWaits,
    },
  );
  err.write(`${decided ? summarizeDecided(results) : summarizePending(results)}\n`);
  if (freeze && !decided) err.write(`${toOneLine(explainFreeze(freeze))}\n`);
};

/** Says that the previewed approvals are not made before the end of a freeze. */
const explainFreeze = ({ since, reason }: NonNullable<PolicyPreview['freeze']>): string =>
  `The registry has been frozen since ${dropMilliseconds(since)}: rules approve nothing until the freeze is lifted. Reason: ${reason}`;

/** Returns the preview of all pages. */
export const toPreview = (
  policy: ReviewPolicy,
  { results, unmet, freeze }: Pick<PolicyPreview, 'results' | 'unmet' | 'freeze'>,
): Preview => ({ freeze, rules: countByRule(policy, results), unmet: addUnmet(unmet), results });
