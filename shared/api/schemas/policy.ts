import * as z from 'zod';
import { foundAnswers } from '../../domain/facts/facts.ts';
import { isJobLabel } from '../../domain/identity/job-label.ts';
import { licenseStatuses } from '../../domain/licenses/license-status.ts';
import { waits } from '../../domain/policy/readiness.ts';
import {
  conditionNames,
  type ReviewPolicy as DomainPolicy,
  ruleActions,
} from '../../domain/policy/rule.ts';
import { maxApprovalDays } from '../../domain/review/choose-expiry.ts';
import { isTokenLabel } from '../../domain/tokens/token-label.ts';
import { ratings } from '../../domain/vulnerabilities/severity.ts';
import { verdicts } from '../../domain/vulnerabilities/verdict.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { isObject } from '../../util/json.ts';
import { Ecosystem } from './ecosystem.ts';
import { Freeze } from './freeze.ts';
import { oneOf } from './one-of.ts';
import { Timestamp } from './package.ts';
import { Status } from './status.ts';
import { lines } from './text.ts';

const maxRules = 100;
const maxChoices = 100;
const maxAgeDays = 3650;

const listOf = <T extends z.ZodType>(item: T) => {
  const error = `must be a list of 1 to ${maxChoices}`;
  return z.array(item, { error }).min(1, { error }).max(maxChoices, { error }).optional();
};

const Flag = z.boolean({ error: 'must be true or false' }).optional();

const days = (max: number) => {
  const error = `must be a whole number from 1 to ${max}`;
  return z.int({ error }).min(1, { error }).max(max, { error }).optional();
};

const patternRule = 'must be a name, with * for any characters: at most 255, none of them blank';
const Pattern = z.string({ error: patternRule }).regex(/^[!-~]{1,255}$/, { error: patternRule });

const labelRule = 'must be the label of a token';
const Label = z
  .string({ error: labelRule })
  .refine((label) => isTokenLabel(label) || isJobLabel(label), { error: labelRule });

const RuleConditions = z
  .strictObject(
    {
      ecosystems: listOf(oneOf(ecosystems)),
      names: listOf(Pattern).describe(
        'A name, in which `*` matches any characters, as in `@types/*`.',
      ),
      submitters: listOf(Label).describe('Labels of tokens.'),
      license: listOf(oneOf(licenseStatuses)).describe(
        'Status of the effective license. A submitted license alone approves nothing while the upstream declaration is unknown.',
      ),
      scan: listOf(oneOf([...verdicts, 'missing'])).describe(
        "Status of the scans. `missing` means that no trusted scan has finished. Trusted are the registry's own scans and those of `scanned_by`. Findings of all scans count.",
      ),
      worst: oneOf(['none', ...ratings])
        .optional()
        .describe(
          'The highest allowed severity. A vulnerability of unknown severity does not match, nor does a version without a trusted scan.',
        ),
      malware: Flag.describe(
        'Whether a trusted scan reports the version as a malicious package (an id that begins with `MAL-`).',
      ),
      scanned_by: listOf(Label).describe(
        "Labels of tokens whose scans are trusted for `scan`, `worst` and `malware`, besides the registry's own. Uploads by the submitter and forced uploads are never trusted.",
      ),
      minimum_age_days: days(maxAgeDays).describe('Minimum age since publication, in days.'),
      found: listOf(oneOf(foundAnswers)).describe('Whether the version exists upstream.'),
      deprecated: Flag.describe('Whether the version is deprecated or yanked.'),
      install_scripts: Flag,
      new_dependency_young: Flag.describe(
        'Whether it adds a dependency that was first published less than 30 days ago. This and the next four compare it with an earlier version.',
      ),
      install_scripts_added: Flag.describe(
        'Whether it adds or changes a script of installation, or has no wheel any more.',
      ),
      publisher_changed: Flag.describe(
        'Whether its publisher published none of the 20 versions up to the earlier one.',
      ),
      provenance_lost: Flag.describe('Whether only the earlier version has provenance.'),
      repository_changed: Flag.describe(
        'Whether the approved version below names another repository.',
      ),
      similar_name: Flag.describe(
        'Whether no version of the name was ever approved, and the name resembles an approved one.',
      ),
      approved_major: Flag.describe(
        'Whether a version with the same major number is approved. Unknown for images.',
      ),
    },
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'must be an object of conditions' : undefined,
    },
  )
  .refine(
    ({ scan, worst, malware, scanned_by }) =>
      scanned_by === undefined || [scan, worst, malware].some((given) => given !== undefined),
    { path: ['scanned_by'], error: 'only goes with scan, worst or malware' },
  )
  .describe('Conditions that must all match. Unknown data matches no condition.');

const nameRule =
  'must be short plain words, such as types-of-typescript: a-z, 0-9 and hyphens, at most 50';

export const Rule = z
  .strictObject(
    {
      name: z
        .string({ error: nameRule })
        .max(50, { error: nameRule })
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: nameRule })
        .describe("The rule's name. Its decisions are made by `policy:NAME`."),
      when: RuleConditions,
      then: oneOf(ruleActions).describe(
        'The action. `hold` requires manual review, and ends the evaluation.',
      ),
      reason: lines(2000).optional().describe('The reason, which the history keeps.'),
      expires_in_days: days(maxApprovalDays).describe('In how many days the approval expires.'),
    },
    { error: ({ code }) => (code === 'invalid_type' ? 'must be an object' : undefined) },
  )
  .refine(({ then, expires_in_days }) => then === 'approve' || expires_in_days === undefined, {
    path: ['expires_in_days'],
    error: 'only goes with approve',
  });

const rulesRule = `must be a list of at most ${maxRules} rules`;

/** Review policy: rules that decide routine versions automatically. */
export const ReviewPolicy = z
  .strictObject(
    { rules: z.array(Rule, { error: rulesRule }).max(maxRules, { error: rulesRule }) },
    { error: ({ code }) => (code === 'invalid_type' ? 'must be an object with rules' : undefined) },
  )
  .superRefine(({ rules }, context) => {
    for (const [at, { name }] of rules.entries()) {
      if (rules.findIndex((other) => other.name === name) === at) continue;
      const message = 'is the name of an earlier rule, too';
      context.addIssue({ code: 'custom', path: ['rules', at, 'name'], message });
    }
  })
  .describe(
    'A review policy: the first matching rule decides on a version.',
  ) satisfies z.ZodType<DomainPolicy>;
export type ReviewPolicy = z.infer<typeof ReviewPolicy>;

/** Returns the name of a rule for an error message: its number, and its `name` if it has one. */
const nameRuleOf = (input: unknown, at: number): string => {
  const rules = isObject(input) && Array.isArray(input['rules']) ? input['rules'] : [];
  const rule: unknown = rules[at];
  const name = isObject(rule) ? rule['name'] : undefined;
  return typeof name === 'string' && name !== '' ? `rule ${at + 1} (${name})` : `rule ${at + 1}`;
};

/** Returns one line for each fault of a policy, with the name of the rule. */
export const explainPolicyFaults = (input: unknown, { issues }: z.ZodError): string[] =>
  issues.map((issue) => {
    const { path } = issue;
    const message =
      issue.code === 'unrecognized_keys' ? `knows no ${issue.keys.join(', ')}` : issue.message;
    const [rules, at, ...rest] = path;
    const isOfRule = rules === 'rules' && typeof at === 'number';
    const where = isOfRule
      ? `${nameRuleOf(input, at)}${rest.length > 0 ? `: ${rest.join('.')}` : ''}`
      : path.join('.');
    return `${where} ${message}`.trim();
  });

/** Decision that the rules would make on a version. */
export const PolicyPreviewResult = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    status: Status.describe('The status of the version.'),
    decision: z
      .enum(ruleActions)
      .nullable()
      .describe(
        'The action of the matching rule. `hold` means manual review. Null if no rule matches or may decide.',
      ),
    rule: z.string().nullable().describe('The name of the matching rule.'),
    waits_for: z
      .array(z.enum(waits))
      .describe(
        'Missing data: `facts` or `scan` before the rules apply, or `age` for a rule that otherwise matches.',
      ),
  })
  .describe('The decision that the rules would make on a version.');
export type PolicyPreviewResult = z.infer<typeof PolicyPreviewResult>;

const UnmetConditions = z
  .strictObject({
    rule: z.string(),
    condition: z
      .enum([...conditionNames, 'issues'])
      .describe(
        'The first condition of the rule that does not hold. `issues` means that the rule matches, but cannot approve because of blocking issues.',
      ),
    versions: z.int().describe('Number of versions.'),
  })
  .describe('Versions that a rule does not decide because of one condition.');

export const PolicyPreview = z
  .strictObject({
    unmet: z
      .array(UnmetConditions)
      .describe(
        'For each rule, the number of versions of the page by their first unmet condition.',
      ),
    results: z.array(PolicyPreviewResult),
    freeze: Freeze.nullable().describe(
      'The freeze in force. Until it is lifted, the rules approve nothing, also where `decision` is `approve`. Null if the registry is not frozen.',
    ),
    next: z.string().nullable().describe('Cursor: send it as `after` to get the next page.'),
  })
  .describe('The decisions that the rules would make on versions, in the order of submission.');
export type PolicyPreview = z.infer<typeof PolicyPreview>;

const Count = z.int();

export const PolicyRun = z
  .strictObject({
    state: z
      .enum(['requested', 'running', 'done'])
      .describe('`requested` until the run starts, usually within seconds.'),
    started_at: Timestamp.nullable().describe('Null until the run starts.'),
    finished_at: Timestamp.nullable().describe('Null until the run is done.'),
    looked_at: Count.describe('Number of evaluated pending versions so far.'),
    approved: Count,
    rejected: Count,
    held: Count.describe('Number of versions that a rule holds for manual review.'),
    undecided: Count.describe(
      'Number of versions that match no rule, or wait for a check or their age.',
    ),
    failed: Count.describe(
      "Number of versions that could not be evaluated. The registry's log names them.",
    ),
  })
  .describe('The progress of the last run of the policy over all pending versions.');
export type PolicyRun = z.infer<typeof PolicyRun>;

export const PolicyStatus = z
  .strictObject({
    rules: z.array(Rule).describe('The rules in their order. Empty without a policy.'),
    run: PolicyRun.nullable().describe('Null before the first run, and without rules.'),
  })
  .describe('The deployed policy and its last run over all pending versions.');
export type PolicyStatus = z.infer<typeof PolicyStatus>;
