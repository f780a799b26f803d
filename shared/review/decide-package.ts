import { checkObjections, type Objection } from '../domain/approval.ts';
import { checkDecision } from '../domain/decision.ts';
import { RegistryError } from '../domain/errors.ts';
import { type PackageSelector, toVersionKey } from '../domain/package-id.ts';
import type { Decision, Status } from '../domain/status.ts';
import { retry } from '../retry.ts';
import type { PackageDetail } from '../schemas/package.ts';
import { renumberVersion } from '../store/catalogue/places.ts';
import { moveInCatalogue, OrdinalTakenError } from '../store/catalogue/writes.ts';
import { addDecision } from '../store/decisions/decision-records.ts';
import { selectForWrite } from '../store/packages/find-versions.ts';
import { parseOrdinal } from '../store/packages/keys.ts';
import { type PackageItem, toDetail } from '../store/packages/package-item.ts';
import { makeWitness, updateStatus, VersionChangedError } from '../store/packages/write-version.ts';
import { transact } from '../store/transact.ts';
import type { ReviewContext } from './review-context.ts';

/** What a reviewer decides. */
export interface DecisionRequest {
  readonly to: Decision;
  /** The name that the body gives; the token's label stands in for it. */
  readonly by: string | null | undefined;
  readonly reason: string | null | undefined;
  /** Where the version must stand; anywhere, if not given. */
  readonly expectedStatus?: Status | null | undefined;
  /** Whether to approve whatever stands in the way. */
  readonly override?: boolean | null | undefined;
  /** Finds what stands in the way of an approval. */
  readonly findObjections?: (version: PackageItem) => Promise<readonly Objection[]>;
}

const toDecidedDetail = (
  current: PackageItem,
  { to, by, reason }: DecisionRequest,
  { actor, now }: ReviewContext,
): PackageDetail => {
  const who = by ?? actor.label;
  const at = now.toISOString();
  return {
    ...toDetail(current),
    status: to,
    approved_by: to === 'approved' ? who : null,
    approved_at: to === 'approved' ? at : null,
    rejected_by: to === 'rejected' ? who : null,
    rejected_at: to === 'rejected' ? at : null,
    reason: reason ?? null,
  };
};

/** Another decision came first; or only an audit, which gave the version another place. */
const explainLostRace =
  (known: PackageItem) =>
  (stored: PackageItem | undefined): Error =>
    stored?.revision === known.revision
      ? new VersionChangedError(known)
      : new RegistryError(
          'decision_conflict',
          `Someone else decided on ${known.name} ${known.version} at the same moment; it is ${stored?.status} now. Nothing was changed.`,
        );

/** Decides on the version as it stands at this moment. */
const decideOnce = async (
  selector: PackageSelector,
  request: DecisionRequest,
  context: ReviewContext,
): Promise<PackageDetail> => {
  const current = await selectForWrite(selector);
  checkDecision(current, request);
  const objections = (await request.findObjections?.(current)) ?? [];
  if (!request.override) checkObjections(current, objections);
  const detail = toDecidedDetail(current, request, context);
  const record = {
    from: current.status,
    to: detail.status,
    by: detail.approved_by ?? detail.rejected_by,
    reason: detail.reason,
    overridden: objections.map(({ code }) => code),
  };
  const witness = makeWitness(current);
  try {
    await transact(
      [
        ...context.remember(detail),
        updateStatus(current, { detail, ...witness }, explainLostRace(current)),
        addDecision(toVersionKey(current), record, context),
        ...moveInCatalogue(
          { before: current, after: detail },
          parseOrdinal(current.ordinal),
          context.catalogue,
        ),
      ],
      context.deadline,
      witness,
    );
  } catch (error) {
    // Two versions stand at one place, which an audit would mend. Nobody who decides shall have to wait for it.
    if (error instanceof OrdinalTakenError) await renumberVersion(current, context);
    throw error;
  }
  return detail;
};

const hasMoved = (error: unknown): boolean =>
  error instanceof OrdinalTakenError || error instanceof VersionChangedError;

/** Approves or rejects the version that the selector means, and keeps a record of it in the same transaction. */
export const decidePackage = (
  selector: PackageSelector,
  request: DecisionRequest,
  context: ReviewContext,
): Promise<PackageDetail> =>
  retry(
    () => decideOnce(selector, request, context),
    ({ error }) => {
      // Its place is another one now; each time the registry has come further, so this ends.
      if (hasMoved(error)) return 0;
      throw error;
    },
  );
