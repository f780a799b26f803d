import * as z from 'zod';
import { removalRecord } from '../../domain/recalls/recall.ts';
import { overridableCodes } from '../../domain/review/approval.ts';
import { maxApprovalDays } from '../../domain/review/choose-expiry.ts';
import { isReservedName } from '../../domain/tokens/reserved-name.ts';
import { malwareId } from '../../domain/vulnerabilities/malware-id.ts';
import { holdTo, implies, type JsonSchema } from './json-schema.ts';
import { Status } from './status.ts';
import { Identity, lines, optional, text } from './text.ts';
import { Time } from './time.ts';

const maxReasonLength = 2000;

const reason = optional(lines(maxReasonLength)).describe(
  'The reason, which the history keeps. Required to reverse a decision or to override an issue.',
);

const expected_status = optional(Status).describe(
  'The status that the version must have. A decision by another reviewer in the meantime is then refused, not reversed.',
);

const isOverridable = (code: unknown): boolean => overridableCodes.some((one) => one === code);

/**
 * Returns the error for an invalid `override`. It names at most three unknown codes, to limit the length of the
 * response.
 */
const describeOverride = ({ input }: { readonly input?: unknown }): string => {
  if (!Array.isArray(input)) return 'must be true, false or a list of issue codes';
  if (input.includes('malware'))
    return 'cannot lift malware: send accept_recall with the ID of the record, such as MAL-2026-2307, and a reason';
  const unknown = input.filter((code) => !isOverridable(code)).slice(0, 3);
  const named = unknown.map((code) => JSON.stringify(code).slice(0, 50).toWellFormed());
  return `names ${named.join(', ')}, which no issue has as its code; there are ${overridableCodes.join(', ')}`;
};

const IssueCodes = z
  .array(z.enum(overridableCodes))
  .min(1, { error: 'must list at least one issue code; leave it out to override nothing' })
  .refine((codes) => new Set(codes).size === codes.length, {
    error: 'must list each issue code once',
  })
  .meta({ uniqueItems: true });

const override = optional(z.union([z.boolean(), IssueCodes], { error: describeOverride })).describe(
  'Approves despite the blocking issues with these codes, which the caller has seen. `true` overrides all current blocking issues. Neither lifts `malware`, which needs `accept_recall`. Requires a reason.',
);

const recallRecord = new RegExp(`^${removalRecord}$|${malwareId.source}`);

const accept_recall = optional(
  z.string().regex(recallRecord, {
    error: 'must be the ID of a record of malware, such as MAL-2026-2307, or `removed`',
  }),
).describe(
  'Approves a version despite this record, which has recalled it or is the issue `malware` (`removed`: despite its removal upstream). If several records name the version, the first one accepts all. None of them recalls the version again. Requires a reason.',
);

const longestEvidenceVersion = 100;

const expected_evidence_version = optional(text(longestEvidenceVersion)).describe(
  'The `evidence_version` of the evidence that the caller has seen. If the evidence has changed since, the approval is refused with `evidence_changed`.',
);

const expires_at = optional(Time).describe(
  'When the approval expires: in the future, and within 5 years.',
);

const daysRule = `must be a whole number from 1 to ${maxApprovalDays}`;
const expires_in_days = optional(
  z.int({ error: daysRule }).min(1, { error: daysRule }).max(maxApprovalDays, { error: daysRule }),
).describe('In how many days the approval expires, in place of `expires_at`.');

const keep = optional(z.boolean()).describe(
  'Confirms the current approval with the same expiry date, and resolves the attention caused upstream. Requires a reason. Refused for a version that is not approved.',
);

/** Name of the person who decides. */
export const decider = optional(
  Identity.refine((name) => !isReservedName(name), {
    error: 'must not be registry or policy, nor begin with policy:, by which the registry decides',
  }),
).describe(
  'The person who decides, if it is not the owner of the token. Must not be `registry` or `policy`, nor begin with `policy:`.',
);

/** Conditions between the fields of an approval, in JSON Schema. The refinements of `Approval` enforce them. */
export const approvalRules: JsonSchema[] = [
  implies(
    {
      properties: { override: { anyOf: [{ const: true }, { type: 'array', items: {} }] } },
      required: ['override'],
    },
    { properties: { reason: { type: 'string' } }, required: ['reason'] },
  ),
  implies(
    { properties: { accept_recall: { type: 'string' } }, required: ['accept_recall'] },
    { properties: { reason: { type: 'string' } }, required: ['reason'] },
  ),
  implies(
    { properties: { expires_at: { type: 'string' } }, required: ['expires_at'] },
    { properties: { expires_in_days: { type: 'null' } } },
  ),
  implies(
    { properties: { keep: { const: true } }, required: ['keep'] },
    {
      properties: {
        reason: { type: 'string' },
        expires_at: { type: 'null' },
        expires_in_days: { type: 'null' },
      },
      required: ['reason'],
    },
  ),
];

/** Optional body of an approval. */
export const Approval = z
  .strictObject({
    approved_by: decider,
    reason,
    expected_status,
    expected_evidence_version,
    override,
    accept_recall,
    expires_at,
    expires_in_days,
    keep,
  })
  .refine((approval) => !approval.expires_at || !approval.expires_in_days, {
    path: ['expires_in_days'],
    error: 'must not come together with expires_at: send one of the two',
  })
  .refine((approval) => !approval.override || Boolean(approval.reason), {
    path: ['reason'],
    error: 'is required with override: it is kept with the decision',
  })
  .refine((approval) => !approval.accept_recall || Boolean(approval.reason), {
    path: ['reason'],
    error: 'is required with accept_recall: it is kept with the decision',
  })
  .refine(({ keep: isKept, expires_at: at, expires_in_days: days }) => !isKept || !(at || days), {
    path: ['keep'],
    error:
      'must not come together with expires_at or expires_in_days: an approval that is kept keeps its end',
  })
  .refine((approval) => !approval.keep || Boolean(approval.reason), {
    path: ['reason'],
    error: 'is required with keep: it says why the version stays approved',
  })
  .meta({
    description: 'An approval. All fields are optional.',
    ...holdTo(...approvalRules),
  });
export type Approval = z.infer<typeof Approval>;

/** Optional body of a rejection. */
export const Rejection = z
  .strictObject({ rejected_by: decider, reason, expected_status })
  .describe('A rejection. All fields are optional.');
export type Rejection = z.infer<typeof Rejection>;
