import * as z from 'zod';
import { Approval, approvalRules, Rejection } from './decision.ts';
import { Ecosystem } from './ecosystem.ts';
import { holdTo } from './json-schema.ts';
import { PackageAnswer } from './package.ts';
import { Problem } from './problem.ts';
import type { Submission } from './submission.ts';

/** Maximum number of items in one request. */
export const maxItems = 100;

const listRule = `must be a list of 1 to ${maxItems}`;

/**
 * Returns the schema of a list that does not validate its items. Each item is validated later, so an invalid item is
 * refused alone.
 */
const listOf = <Item>() =>
  z
    .array(z.custom<Item>(), { error: listRule })
    .min(1, { error: listRule })
    .max(maxItems, { error: listRule });

/** Request with many submissions. */
export const SubmissionList = z
  .strictObject({ packages: listOf<z.input<typeof Submission>>() })
  .describe(`1 to ${maxItems} package versions to submit.`);

const decided = {
  ecosystem: Ecosystem,
  name: z.string(),
  version: z.string().describe('The version, in any spelling that is equal in its ecosystem.'),
};

const PackageApproval = Approval.safeExtend({ ...decided, action: z.literal('approve') }).meta({
  title: 'PackageApproval',
  ...holdTo(...approvalRules),
});
const PackageRejection = Rejection.extend({ ...decided, action: z.literal('reject') }).meta({
  title: 'PackageRejection',
});

/** Decision in a request with many decisions: its version, and the fields of a single decision. */
export const PackageDecision = z
  .union([PackageApproval, PackageRejection], {
    error: 'must be an object whose action is approve or reject',
  })
  .describe(
    'A decision on one package version, with the fields of a single approval or rejection.',
  );
export type PackageDecision = z.infer<typeof PackageDecision>;

/** Returns the schema for the action that the sent value names; without a known action, the schema for both. */
export const choosePackageDecision = (sent: unknown): z.ZodType<PackageDecision> => {
  const { data } = z.looseObject({ action: z.unknown() }).safeParse(sent);
  if (data?.action === 'approve') return PackageApproval;
  return data?.action === 'reject' ? PackageRejection : PackageDecision;
};

/** Request with many decisions. */
export const DecisionList = z
  .strictObject({ decisions: listOf<z.input<typeof PackageDecision>>() })
  .describe(`1 to ${maxItems} decisions.`);

const common = {
  status: z.int().describe('HTTP status of the equivalent single request.'),
  replayed: z
    .literal(true)
    .optional()
    .describe('True if this is the saved answer of an earlier request with the same key.'),
};

export const ItemResult = z
  .union([
    z.strictObject({ ...common, package: PackageAnswer }),
    z.strictObject({ ...common, problem: Problem }),
  ])
  .describe('The result of one item: its package, or its problem.');
export type ItemResult = z.infer<typeof ItemResult>;

/** Results of a request with many items, in the order of the items. */
export const ResultList = z
  .strictObject({ results: z.array(ItemResult) })
  .describe('The results of the items, in their order.');
export type ResultList = z.infer<typeof ResultList>;
