import * as z from 'zod';
import type { Attestation } from '../../shared/api/schemas/attestation.ts';
import {
  predicateType,
  statementType,
} from '../../shared/domain/attestations/decision-statement.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import { dropMilliseconds } from '../../shared/util/drop-milliseconds.ts';
import { parseJson } from '../../shared/util/json.ts';

/** Fields of a statement that people see and that checks use. Later releases may add others. */
export const Statement = z.looseObject({
  _type: z.literal(statementType),
  subject: z.array(z.looseObject({ name: z.string(), digest: z.record(z.string(), z.string()) })),
  predicateType: z.literal(predicateType),
  predicate: z.looseObject({
    decision: z.enum(['approved', 'rejected']),
    package: z.looseObject({ ecosystem: z.string(), name: z.string(), version: z.string() }),
    decidedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    decidedBy: z.looseObject({ name: z.string().nullable(), tokenLabel: z.string().nullable() }),
    rule: z.string().nullable(),
    reason: z.string().nullable(),
    overriddenIssues: z.array(z.string()),
    malwareRecord: z.string().nullable(),
    evidence: z.looseObject({ version: z.string().nullable(), sha256: z.string().nullable() }),
    omittedFiles: z.int(),
  }),
});
export type Statement = z.infer<typeof Statement>;

/** Returns the statement in an attestation as it is, without any check; undefined for other content. */
export const readStatement = ({ payload }: Pick<Attestation, 'payload'>): Statement | undefined =>
  Statement.safeParse(parseJson(Buffer.from(payload, 'base64').toString())).data;

/** Returns the fields that people see of a decision. */
export const presentDecision = ({ subject, predicate }: Statement): object => {
  const { name: by, tokenLabel: token_label } = predicate.decidedBy;
  const { overriddenIssues: overridden, omittedFiles: omitted } = predicate;
  return {
    package: formatPackage(predicate.package),
    decision: predicate.decision,
    decided_at: dropMilliseconds(predicate.decidedAt),
    decided_by: describeActor({ by, token_label }),
    expires_at: predicate.expiresAt === null ? null : dropMilliseconds(predicate.expiresAt),
    rule: predicate.rule,
    reason: predicate.reason,
    overridden_issues: overridden.length > 0 ? overridden : null,
    malware_record: predicate.malwareRecord,
    evidence_version: predicate.evidence.version,
    subjects: subject.map(({ name }) => name),
    files_without_digest: omitted > 0 ? omitted : null,
  };
};
