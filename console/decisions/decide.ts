import type { RegistryClient } from '../../shared/client/operations.ts';
import { RequestError } from '../../shared/client/request-error.ts';
import { splitInto } from '../../shared/domain/split-into.ts';
import type { Status } from '../../shared/domain/status.ts';
import type { PackageAnswer } from '../../shared/schemas/package.ts';
import type { VersionId } from '../address/address.ts';
import { makeKey } from '../api/api.ts';
import { toRequestError } from '../api/use-answer.ts';
import { announce } from '../frame/announcements.ts';
import { type Action, noteOutcome } from './outcomes.ts';

/** What goes with a decision. */
export interface DecisionTerms {
  readonly reason?: string;
  readonly override?: boolean;
  readonly expires_in_days?: number;
}

/** A version as the reviewer saw it: what somebody else decided meanwhile is not reversed unseen. */
export interface Seen extends VersionId {
  readonly status: Status;
}

const doneWords = { approve: 'approved', reject: 'rejected' } as const;

const nameVersion = ({ name, version }: VersionId): string => `${name} ${version}`;

const noteDone = (id: VersionId, { status, approved_by, rejected_by }: PackageAnswer): void =>
  noteOutcome(id, { status, by: status === 'approved' ? approved_by : rejected_by, news: 1 });

/** Decides on one version. What becomes of it shows wherever the version does. Resolves to whether it was done. */
export const decideOne = async (
  api: RegistryClient,
  action: Action,
  { status: expected_status, ...id }: Seen,
  terms: DecisionTerms = {},
): Promise<boolean> => {
  const input = {
    path: { name: id.name },
    query: { ecosystem: id.ecosystem, version: id.version },
    body: { ...terms, expected_status },
  };
  const send = action === 'approve' ? api.approvePackage : api.rejectPackage;
  noteOutcome(id, { sending: action });
  try {
    noteDone(id, await send(input, { idempotencyKey: makeKey() }));
    announce(`${nameVersion(id)} ${doneWords[action]}`);
    return true;
  } catch (error) {
    const refused = { action, error: toRequestError(error) };
    noteOutcome(id, { refused });
    announce(`${nameVersion(id)} was not ${doneWords[action]}: ${refused.error.detail}`);
    return false;
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
  noteOutcome(id, { refused: { action, error } });
  return false;
};

const decideBatch = async (
  api: RegistryClient,
  action: Action,
  batch: readonly Seen[],
  terms: DecisionTerms,
): Promise<number> => {
  const decisions = batch.map(({ ecosystem, name, version, status: expected_status }) => ({
    ...{ ecosystem, name, version, expected_status },
    ...terms,
    action,
  }));
  try {
    const { results } = await api.decidePackages(
      { body: { decisions } },
      { idempotencyKey: makeKey() },
    );
    return batch.filter((id, at) => noteResult(id, action, results[at])).length;
  } catch (error) {
    for (const id of batch) noteOutcome(id, { refused: { action, error: toRequestError(error) } });
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
  for (const { status: _, ...id } of versions) noteOutcome(id, { sending: action });
  let done = 0;
  for (const some of splitInto(atOnce, versions)) {
    done += await decideBatch(api, action, some, terms);
  }
  const refused = versions.length - done;
  announce(`${done} ${doneWords[action]}${refused > 0 ? `, ${refused} refused` : ''}`);
};
