/** Writes of clients: single and batched submissions, decisions and scans, with and without an Idempotency-Key. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { packagePath } from '../../../shared/api/paths.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { statuses } from '../../../shared/domain/review/status.ts';
import type { Random } from '../../support/random.ts';
import type { Outcome } from '../../use-cases/review/history.ts';
import type { Ask, Send } from '../rig/answers.ts';
import {
  type Answered,
  askOnce,
  askUntilKnown,
  isOpen,
  judgeAnswer,
  judgePackage,
} from './client.ts';
import { decided, scanned, submitted } from './model.ts';
import type { Recorder } from './record.ts';

export const pathOf = ({ name }: PackageId, suffix = ''): string =>
  `${packagePath.replace('{name}', encodeURIComponent(name))}${suffix}`;

export const scansPathOf = ({ name }: PackageId): string =>
  `/api/v1/security/scans/${encodeURIComponent(name)}`;

export const selectorOf = ({ ecosystem, version }: PackageId): string =>
  new URLSearchParams({ ecosystem, version }).toString();

/** The context of a step. Its name is unique. */
export interface Step {
  readonly name: string;
  readonly random: Random;
  readonly send: Send;
  readonly recorder: Recorder;
  readonly token: string;
  /** Whether the registry scans new versions itself. */
  readonly isScanning: boolean;
}

const makeAsk = ({ token }: Step, target: string, body: unknown, key: string | undefined): Ask => ({
  method: 'POST',
  target,
  headers: { 'X-API-Key': token, ...(key !== undefined && { 'Idempotency-Key': key }) },
  body: JSON.stringify(body),
});

const chooseKey = ({ name, random }: Step): string | undefined =>
  random.below(2) === 0 ? undefined : `key of ${name}`;

/** Sends a request; with a key, repeats it until its outcome is known. */
const ask = <O extends { readonly kind: string }>(
  { send }: Step,
  sent: Ask,
  { key, judge }: { key: string | undefined; judge: (answered: Answered | undefined) => O },
): Promise<O> =>
  askUntilKnown(async () => judge(await askOnce(send, sent)), key === undefined ? 1 : undefined);

/** A repeated request with a key gets the same response, and a different request with that key fails. */
const checkReplay = async ({ name, send, recorder, random }: Step, sent: Ask): Promise<void> => {
  if (random.below(3) > 0) return;
  const first = await askOnce(send, sent);
  const again = await askOnce(send, sent);
  const isAnswered = [first, again].every((answered) => answered && answered.status < 500);
  if (isAnswered && !isDeepStrictEqual(first, again)) {
    recorder.accuse(`${name} was answered otherwise when it was replayed`);
  }
  if (again && again.status < 300 && !again.isReplayed) {
    recorder.accuse(`${name} was done twice with one key`);
  }
  const other = await askOnce(send, { ...sent, body: `${sent.body} ` });
  if (other && other.status < 500 && other.status !== 409) {
    recorder.accuse(`${name} had its key taken for another request: ${other.status}`);
  }
};

const makeSubmission = ({ ecosystem, name, version }: PackageId, random: Random) => ({
  ...{ ecosystem, name, version },
  ...(random.below(2) === 0 && { license: 'MIT', description: 'data of a web server' }),
});

export const submit = async (step: Step, id: PackageId): Promise<void> => {
  const { name, random, recorder } = step;
  const key = chooseKey(step);
  const sent = makeAsk(step, '/api/v1/packages', makeSubmission(id, random), key);
  const began = recorder.takeMoment();
  const outcome = await ask(step, sent, { key, judge: judgePackage });
  recorder.note(`${name} submits`, id, { began, kind: outcome.kind, apply: submitted(outcome) });
  if (key !== undefined && outcome.kind === 'done') await checkReplay(step, sent);
};

const dayMs = 24 * 60 * 60 * 1000;

/** A decision with its body and path. The reviewer's name identifies the decision. */
const makeDecision = ({ name: by, random }: Step) => {
  const to = random.pick(['approved', 'rejected'] as const);
  const reason = random.below(4) === 0 ? null : 'because';
  const days = random.below(3) === 0 ? 30 + random.below(900) : 0;
  const isApproval = to === 'approved';
  const now = new Date();
  const decision = {
    ...{ to, by, reason, now },
    expires_at:
      isApproval && days > 0 ? new Date(now.getTime() + days * dayMs).toISOString() : null,
    expectedStatus: random.below(4) === 0 ? random.pick(statuses) : null,
    override: isApproval && reason !== null && random.below(3) === 0,
  };
  const { expires_at, expectedStatus: expected_status, override } = decision;
  const body = isApproval
    ? { approved_by: by, reason, expected_status, expires_at, override }
    : { rejected_by: by, reason, expected_status };
  return { decision, body, action: isApproval ? 'approve' : 'reject' };
};

type MadeDecision = ReturnType<typeof makeDecision>;

const noteDecision = (
  { recorder }: Step,
  id: PackageId,
  {
    made: { decision, action },
    outcome,
    began,
  }: { made: MadeDecision; outcome: Outcome; began: number },
): void => {
  const { by } = decision;
  const what = outcome.kind === 'refused' ? `${action}s, ${outcome.code}` : `${action}s`;
  const apply = decided(decision, outcome);
  recorder.note(`${by} ${what}`, id, { began, kind: outcome.kind, apply });
  recorder.noteDecision({ id, by, kind: outcome.kind });
};

export const decide = async (step: Step, id: PackageId): Promise<void> => {
  const made = makeDecision(step);
  const key = chooseKey(step);
  const target = `${pathOf(id, `/${made.action}`)}?${selectorOf(id)}`;
  const sent = makeAsk(step, target, made.body, key);
  const began = step.recorder.takeMoment();
  const outcome = await ask(step, sent, { key, judge: judgePackage });
  noteDecision(step, id, { made, outcome, began });
  if (key !== undefined && outcome.kind === 'done') await checkReplay(step, sent);
};

const ManyAnswer = z.object({
  results: z.array(
    z.object({
      status: z.int(),
      replayed: z.boolean().default(false),
      package: z.unknown().optional(),
      problem: z.unknown().optional(),
    }),
  ),
});

/** The outcome of each item of a batch; a refused batch has one outcome for all items. */
const judgeMany = (answered: Answered | undefined, count: number): Outcome[] => {
  if (!answered || answered.status >= 300) {
    return Array.from({ length: count }, () => judgePackage(answered));
  }
  return ManyAnswer.parse(answered.body).results.map(
    ({ status, replayed: isReplayed, package: done, problem }) =>
      judgePackage({ status, isReplayed, body: done ?? problem }),
  );
};

const mostAttempts = 5;

/** Sends a batch; with a key, repeats it until the outcome of each item is known. */
const askMany = async (
  { send }: Step,
  sent: Ask,
  { count, key }: { count: number; key: string | undefined },
): Promise<Outcome[]> => {
  const wasUnknown = new Set<number>();
  let outcomes: Outcome[] = [];
  for (let attempt = 0; attempt < (key === undefined ? 1 : mostAttempts); attempt += 1) {
    outcomes = judgeMany(await askOnce(send, sent), count);
    for (const [at, { kind }] of outcomes.entries()) if (kind === 'unknown') wasUnknown.add(at);
    if (!outcomes.some(isOpen)) break;
  }
  return outcomes.map((outcome, at) =>
    isOpen(outcome) && wasUnknown.has(at) ? { kind: 'unknown' } : outcome,
  );
};

export const submitMany = async (step: Step, ids: readonly PackageId[]): Promise<void> => {
  const { name, random, recorder } = step;
  const key = chooseKey(step);
  const packages = ids.map((id) => makeSubmission(id, random));
  const sent = makeAsk(step, '/api/v1/submissions', { packages }, key);
  const began = recorder.takeMoment();
  const outcomes = await askMany(step, sent, { count: ids.length, key });
  for (const [at, id] of ids.entries()) {
    const outcome = outcomes[at] ?? { kind: 'unknown' };
    const { kind } = outcome;
    recorder.note(`${name} submits with others`, id, { began, kind, apply: submitted(outcome) });
  }
};

export const decideMany = async (step: Step, ids: readonly PackageId[]): Promise<void> => {
  const key = chooseKey(step);
  const items = ids.map((id) => ({ id, made: makeDecision(step) }));
  const decisions = items.map(({ id, made }) => ({ ...id, action: made.action, ...made.body }));
  const sent = makeAsk(step, '/api/v1/decisions', { decisions }, key);
  const began = step.recorder.takeMoment();
  const outcomes = await askMany(step, sent, { count: ids.length, key });
  for (const [at, { id, made }] of items.entries()) {
    noteDecision(step, id, { made, outcome: outcomes[at] ?? { kind: 'unknown' }, began });
  }
};

const Scanned = z.object({ status: z.string() });

export const upload = async (step: Step, id: PackageId): Promise<void> => {
  const { name, random, recorder } = step;
  const key = chooseKey(step);
  const tool = `tool-${random.below(2)}`;
  const verdict = random.below(3) === 0 ? 'failed' : 'passed';
  const vulnerabilities = verdict === 'failed' ? [{ id: `X-${name}`, severity: 'critical' }] : [];
  const target = `${scansPathOf(id)}?${selectorOf(id)}`;
  const sent = makeAsk(step, target, { tool, vulnerabilities }, key);
  const judge = (answered: Answered | undefined) =>
    judgeAnswer(answered, (body) => ({ kind: 'done' as const, ...Scanned.parse(body) }));
  const began = recorder.takeMoment();
  const outcome = await ask(step, sent, { key, judge });
  const apply = scanned(tool, verdict, outcome);
  recorder.note(`${name} uploads, ${tool} ${verdict}`, id, { began, kind: outcome.kind, apply });
};

/** A client without a valid token, whose requests have no effect. */
export const intrude = async (
  { name, random, send, recorder }: Step,
  id: PackageId,
): Promise<void> => {
  const isStranger = random.below(2) === 0;
  const headers = isStranger ? { 'X-API-Key': `stranger ${name}` } : {};
  const body = JSON.stringify(id);
  const answered = await askOnce(send, {
    method: 'POST',
    target: '/api/v1/packages',
    headers,
    body,
  });
  if (!answered || answered.status >= 500) return;
  const refused = isStranger ? 403 : 401;
  if (answered.status !== refused) recorder.accuse(`${name} was let in: ${answered.status}`);
};
