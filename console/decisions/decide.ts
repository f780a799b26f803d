import type { RegistryClient } from '../../shared/client/operations.ts';
import { RequestError } from '../../shared/client/request-error.ts';
import { describeActor } from '../../shared/domain/describe-actor.ts';
import { splitInto } from '../../shared/domain/split-into.ts';
import type { PackageAnswer } from '../../shared/schemas/package.ts';
import type { VersionId } from '../address/address.ts';
import { makeKey } from '../api/api.ts';
import { toRequestError } from '../api/use-answer.ts';
import { announce } from '../frame/announcements.ts';
import { readListsAgain } from '../frame/happenings.ts';
import { type Action, noteOutcome } from './outcomes.ts';
import { listBlocking, type ShownEvidence } from './shown-evidence.ts';

/** What goes with a decision, besides what was shown of the version. */
export interface DecisionTerms {
  readonly reason?: string;
  readonly expires_in_days?: number;
}

/** A version as the reviewer saw it. */
export interface Seen extends VersionId, ShownEvidence {}

const doneWords = { approve: 'approved', reject: 'rejected' } as const;

const nameVersion = ({ name, version }: VersionId): string => `${name} ${version}`;

const findDecider = (done: PackageAnswer): string | null =>
  done.status === 'approved'
    ? describeActor({ by: done.approved_by, token_label: done.approved_token_label })
    : describeActor({ by: done.rejected_by, token_label: done.rejected_token_label });

const noteDone = (id: VersionId, done: PackageAnswer): void =>
  noteOutcome(id, { status: done.status, by: findDecider(done), news: 1 });

/** Returns the fields that hold a decision to what the reviewer saw: nothing else is reversed or overridden. */
const toFields = (action: Action, seen: Seen, terms: DecisionTerms) => {
  const { status: expected_status, evidence_version } = seen;
  if (action === 'reject') return { ...terms, expected_status };
  const override = listBlocking(seen);
  return {
    ...terms,
    expected_status,
    ...(override.length > 0 && { override }),
    ...(evidence_version !== null && { expected_evidence_version: evidence_version }),
  };
};

const toId = ({ ecosystem, name, version }: Seen): VersionId => ({ ecosystem, name, version });

const evidenceRefusals: readonly string[] = ['approval_blocked', 'evidence_changed'];

/** Whether the registry refused an approval because more is known than the reviewer saw. */
export const isEvidenceRefusal = (error: RequestError | undefined): boolean =>
  error !== undefined && evidenceRefusals.includes(error.code);

/** Notes a refusal. What more became known is read at once, in lists and where it is open. */
const noteRefusal = (id: VersionId, action: Action, error: RequestError): void => {
  const isNews = isEvidenceRefusal(error);
  noteOutcome(id, { refused: { action, error }, news: isNews ? 1 : 0 });
  if (isNews) readListsAgain();
};

/**
 * Decides on one version. What becomes of it shows wherever the version does.
 * @returns the refusal, if it was refused
 */
export const decideOne = async (
  api: RegistryClient,
  action: Action,
  seen: Seen,
  terms: DecisionTerms = {},
): Promise<RequestError | undefined> => {
  const id = toId(seen);
  const input = {
    path: { name: id.name },
    query: { ecosystem: id.ecosystem, version: id.version },
    body: toFields(action, seen, terms),
  };
  const send = action === 'approve' ? api.approvePackage : api.rejectPackage;
  noteOutcome(id, { sending: action });
  try {
    noteDone(id, await send(input, { idempotencyKey: makeKey() }));
    announce(`${nameVersion(id)} ${doneWords[action]}`);
    return undefined;
  } catch (error) {
    const refusal = toRequestError(error);
    noteRefusal(id, action, refusal);
    announce(`${nameVersion(id)} was not ${doneWords[action]}: ${refusal.detail}`);
    return refusal;
  }
};

/** How many a request decides on. */
const atOnce = 100;

type Results = Awaited<ReturnType<RegistryClient['decidePackages']>>['results'];

const noteResult = (
  id: VersionId,
  action: Action,
  result: Results[number] | undefined,
): boolean => {
  if (result && 'package' in result) {
    noteDone(id, result.package);
    return true;
  }
  const error = result
    ? new RequestError({ ...result.problem, problem: result.problem })
    : new RequestError({ code: 'unexpected_answer', detail: 'Nothing was said of it.' });
  noteRefusal(id, action, error);
  return false;
};

const decideBatch = async (
  api: RegistryClient,
  action: Action,
  batch: readonly Seen[],
  terms: DecisionTerms,
): Promise<number> => {
  const decisions = batch.map((seen) => ({
    ...toId(seen),
    ...toFields(action, seen, terms),
    action,
  }));
  try {
    const { results } = await api.decidePackages(
      { body: { decisions } },
      { idempotencyKey: makeKey() },
    );
    return batch.filter((seen, at) => noteResult(toId(seen), action, results[at])).length;
  } catch (error) {
    for (const seen of batch) noteRefusal(toId(seen), action, toRequestError(error));
    return 0;
  }
};

/** Decides on many versions with one reason, each by itself. */
export const decideMany = async (
  api: RegistryClient,
  action: Action,
  versions: readonly Seen[],
  terms: DecisionTerms,
): Promise<void> => {
  for (const seen of versions) noteOutcome(toId(seen), { sending: action });
  let done = 0;
  for (const some of splitInto(atOnce, versions)) {
    done += await decideBatch(api, action, some, terms);
  }
  const refused = versions.length - done;
  announce(`${done} ${doneWords[action]}${refused > 0 ? `, ${refused} refused` : ''}`);
};
