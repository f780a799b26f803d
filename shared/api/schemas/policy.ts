import * as z from 'zod';
import { foundAnswers } from '../../domain/facts/facts.ts';
import { licenseStatuses } from '../../domain/licenses/status.ts';
import { waits } from '../../domain/policy/readiness.ts';
import { type ReviewPolicy as DomainPolicy, ruleActions } from '../../domain/policy/rule.ts';
import { maxApprovalDays } from '../../domain/review/choose-expiry.ts';
import { isTokenLabel } from '../../domain/tokens/token-label.ts';
import { ratings } from '../../domain/vulnerabilities/severity.ts';
import { verdicts } from '../../domain/vulnerabilities/verdict.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { isObject } from '../../util/json.ts';
import { Ecosystem } from './ecosystem.ts';
import { lines } from './text.ts';

const maxRules = 100;
const maxChoices = 100;
const maxAgeDays = 3650;

const listOf = <T extends z.ZodType>(item: T) => {
  const error = `must be a list of 1 to ${maxChoices}`;
  return z.array(item, { error }).min(1, { error }).max(maxChoices, { error }).optional();
};

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const Flag = z.boolean({ error: 'must be true or false' }).optional();

const days = (max: number) => {
  const error = `must be a whole number from 1 to ${max}`;
  return z.int({ error }).min(1, { error }).max(max, { error }).optional();
};

const patternRule = 'must be a name, with * for any characters: at most 255, none of them blank';
const Pattern = z.string({ error: patternRule }).regex(/^[!-~]{1,255}$/, { error: patternRule });

const labelRule = 'must be the label of a token';
const Label = z.string({ error: labelRule }).refine(isTokenLabel, { error: labelRule });

const RuleConditions = z
  .strictObject(
    {
      ecosystems: listOf(oneOf(ecosystems)),
      names: listOf(Pattern).describe('`*` stands for any characters, as in `@types/*`.'),
      submitters: listOf(Label).describe('Labels of tokens.'),
      license: listOf(oneOf(licenseStatuses)).describe(
        'What the organisation thinks of the license that counts: what the package declares, or what was submitted where that is worse or the package declares none. A submitted license alone approves nothing while it is unknown what the package declares.',
      ),
      scan: listOf(oneOf([...verdicts, 'missing'])).describe(
        "How scans stand: `missing` where none has finished that the rule trusts, which are the registry's own and those of `scanned_by`. Findings always count, no matter who sent them.",
      ),
      worst: oneOf(['none', ...ratings])
        .optional()
        .describe(
          'The worst severity that may count. What is unrated satisfies none, nor does what no trusted scan has looked at.',
        ),
      scanned_by: listOf(Label).describe(
        "Labels of tokens whose scans count for `scan` and `worst`, beside the registry's own. The submitter's own upload never counts, nor a forced one.",
      ),
      minimum_age_days: days(maxAgeDays).describe('Since it was published.'),
      found: listOf(oneOf(foundAnswers)).describe('Whether its origin has it.'),
      deprecated: Flag.describe('Deprecated or yanked; `false`: neither.'),
      install_scripts: Flag,
      approved_major: Flag.describe(
        'Whether a version of the package with the same first number is approved; of images that is not known.',
      ),
    },
    {
      error: ({ code }) =>
        code === 'invalid_type' ? 'must be an object of conditions' : undefined,
    },
  )
  .refine(
    ({ scan, worst, scanned_by }) =>
      scanned_by === undefined || scan !== undefined || worst !== undefined,
    { path: ['scanned_by'], error: 'only goes with scan or worst' },
  )
  .describe('All that is given must hold. What is not known of a version satisfies nothing.');

const nameRule =
  'must be short plain words, such as types-of-typescript: a-z, 0-9 and hyphens, at most 50';

const Rule = z
  .strictObject(
    {
      name: z
        .string({ error: nameRule })
        .max(50, { error: nameRule })
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: nameRule })
        .describe('Decisions are made by `policy:` and this name.'),
      when: RuleConditions,
      then: oneOf(ruleActions).describe('`hold` leaves it to a person, whatever later rules say.'),
      reason: lines(2000).optional().describe('Kept with the decision.'),
      expires_in_days: days(maxApprovalDays).describe('For how long an approval holds.'),
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
    'Rules in their order: the first that matches a version decides.',
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

/** Decision that the rules would make on a pending version. */
export const PolicyPreviewResult = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    decision: z
      .enum(ruleActions)
      .nullable()
      .describe(
        '`hold`: it would be left to a person; null where no rule matches, or none may look at it.',
      ),
    rule: z.string().nullable().describe('The rule that matches.'),
    waits_for: z
      .array(z.enum(waits))
      .describe(
        'What is still to be found out before rules look at it (`facts`, `scan`), or what a rule lacks that would match (`age`).',
      ),
  })
  .describe('What rules would make of a pending version.');
export type PolicyPreviewResult = z.infer<typeof PolicyPreviewResult>;

export const PolicyPreview = z
  .strictObject({
    results: z.array(PolicyPreviewResult),
    next: z.string().nullable().describe('What to send as `after` for the page after this one.'),
  })
  .describe('What rules would make of pending versions, in the order of submission.');
export type PolicyPreview = z.infer<typeof PolicyPreview>;
