import * as z from 'zod';
import { RequestError } from '../../shared/api/client/client.ts';
import type { AcceptanceScope } from '../../shared/domain/vulnerabilities/acceptance.ts';
import { groupBy } from '../../shared/util/group-by.ts';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import { isObject, type JsonObject } from '../../shared/util/json.ts';
import { readJsonInput } from '../input/files.ts';
import { UsageError } from '../input/usage-error.ts';
import { writeResult, writeRows } from '../output/result.ts';
import type { Session } from '../session/session.ts';
import type { VexClaim } from './claim.ts';
import { isCycloneDx, readCycloneDxVex } from './cyclonedx-vex.ts';
import { isOpenVex, readOpenVex } from './openvex.ts';
import {
  type LeftOut,
  type PlannedAcceptance,
  planAcceptances,
  toPlanKey,
  type VexPlan,
} from './plan.ts';

/** What the command was given. */
interface VexFlags {
  readonly vex?: string;
  readonly expires?: { readonly expires_at: string };
  readonly everywhere?: boolean;
  readonly dryRun?: boolean;
}

/** What became of one statement. */
interface Outcome extends AcceptanceScope {
  readonly outcome: 'accepted' | 'accepted already' | 'to be accepted' | 'left out' | 'refused';
  readonly vulnerability: string;
  readonly where: string;
  readonly why: string;
  readonly affects: number | null;
  readonly affects_at_least: boolean;
}

const readClaims = async (file: string): Promise<VexClaim[]> => {
  const document = await readJsonInput(file);
  try {
    if (isObject(document) && isOpenVex(document)) return readOpenVex(document);
    if (isObject(document) && isCycloneDx(document)) return readCycloneDxVex(document);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw new UsageError(`${file}: ${issue?.path.join('.')} ${issue?.message}`);
  }
  throw new UsageError(
    `${file} is no VEX document that can be read: give OpenVEX, or CycloneDX as JSON with vulnerabilities.`,
  );
};

const describeScope = ({ ecosystem, name, version }: AcceptanceScope): string => {
  if (ecosystem === null) return 'everywhere';
  return `${name} ${version ?? '(all versions)'} (${ecosystem})`;
};

const nowhere: AcceptanceScope = { ecosystem: null, name: null, version: null };

const toLeftOut = ({ vulnerability, product, why }: LeftOut): Outcome => ({
  outcome: 'left out',
  vulnerability,
  where: product ?? 'no product',
  why,
  affects: null,
  affects_at_least: false,
  ...nowhere,
});

const toOutcome = (
  { vulnerability, scope, reason }: PlannedAcceptance,
  become: Pick<Outcome, 'outcome'> & Partial<Pick<Outcome, 'why' | 'affects' | 'affects_at_least'>>,
): Outcome => ({
  outcome: become.outcome,
  vulnerability,
  where: describeScope(scope),
  why: become.why ?? reason,
  affects: become.affects ?? null,
  affects_at_least: become.affects_at_least ?? false,
  ...scope,
});

const isRefused = (error: unknown, code: string): error is RequestError =>
  error instanceof RequestError && error.code === code;

/** What the registry knows of a vulnerability; undefined if it does not have it. */
const findVulnerability = async (id: string, { client }: Session) => {
  try {
    return await client.showVulnerability({ path: { id }, query: { limit: 1 } });
  } catch (error) {
    if (isRefused(error, 'vulnerability_not_found')) return undefined;
    throw error;
  }
};

/** Until when it is accepted in just this scope; undefined where it is not. */
const findLive = async (
  { vulnerability, scope }: PlannedAcceptance,
  session: Session,
): Promise<string | undefined> => {
  const known = await findVulnerability(vulnerability, session);
  const key = toPlanKey(vulnerability, scope);
  return known?.acceptances.find((one) => one.ended === null && toPlanKey(one.id, one) === key)
    ?.expires_at;
};

const parallelReads = 8;

/** Returns the ids that mean each vulnerability that is to be accepted, as the registry knows them. */
const listKnownAliases = async (
  { planned }: VexPlan,
  session: Session,
): Promise<readonly string[][]> => {
  const ids = [...new Set(planned.map(({ vulnerability }) => vulnerability))];
  return runInParallel(ids, parallelReads, async (id) => {
    const known = await findVulnerability(id, session);
    return known ? [id, known.id, ...known.aliases] : [];
  });
};

/** Plans by what the document says, and again by what the registry knows, if the document calls anything harmful. */
const planDocument = async (
  file: string,
  everywhere: boolean,
  session: Session,
): Promise<VexPlan> => {
  const claims = await readClaims(file);
  const plan = planAcceptances(claims, { everywhere });
  if (claims.every(({ isHarmless }) => isHarmless)) return plan;
  return planAcceptances(claims, { everywhere, aliases: await listKnownAliases(plan, session) });
};

const acceptOne = async (
  plan: PlannedAcceptance,
  expires_at: string,
  session: Session,
): Promise<Outcome> => {
  const { vulnerability, scope, reason } = plan;
  const until = await findLive(plan, session);
  if (until) return toOutcome(plan, { outcome: 'accepted already', why: `until ${until}` });
  const input = { path: { id: vulnerability }, body: { reason, expires_at, ...scope } };
  try {
    const options = { idempotencyKey: crypto.randomUUID() };
    const { affects, affects_at_least } = await session.client.acceptVulnerability(input, options);
    return toOutcome(plan, { outcome: 'accepted', affects, affects_at_least });
  } catch (error) {
    if (isRefused(error, 'package_not_found')) {
      return toOutcome(plan, { outcome: 'left out', why: 'is not in the registry' });
    }
    throw error;
  }
};

const columns = ['outcome', 'vulnerability', 'where', 'affects', 'why'];

const showCount = (row: JsonObject): JsonObject =>
  row['affects_at_least'] ? { ...row, affects: `${row['affects']} or more` } : row;

const writeOutcomes = (
  outcomes: readonly Outcome[],
  expires_at: string,
  { terminal, format }: Session,
): void => {
  const rows = outcomes.map((outcome) => ({ ...outcome }));
  if (format === 'json') writeResult({ expires_at, statements: rows }, terminal, { format });
  else writeRows(rows, terminal.out, { format, columns, forPeople: showCount });
  if (format !== 'people') return;
  const counts = groupBy(outcomes, ({ outcome }) => outcome);
  const summary = [...counts].map(([outcome, ofIt]) => `${ofIt.length} ${outcome}`).join(', ');
  terminal.err.write(`${summary || 'The document says nothing of any vulnerability.'}\n`);
};

const checkFlags = (flags: JsonObject): Required<Pick<VexFlags, 'vex' | 'expires'>> => {
  const { vex, expires } = flags as VexFlags;
  for (const other of ['reason', 'ecosystem', 'name', 'version', 'idempotencyKey']) {
    if (flags[other] === undefined) continue;
    throw new UsageError(
      `--${other === 'idempotencyKey' ? 'idempotency-key' : other} does not go with --vex: the document says what is accepted, where and why.`,
    );
  }
  if (!expires) throw new UsageError('Missing --expires: say until when, such as --expires 90d.');
  return { vex: vex ?? '-', expires };
};

/**
 * Accepts what a VEX document says to be harmless, each statement by itself, and tells what became of each.
 * @throws {RequestError} after all of that, the first refusal or fault, if there was one
 */
export const acceptVex = async (flags: JsonObject, session: Session): Promise<void> => {
  const { vex, expires } = checkFlags(flags);
  const { everywhere = false, dryRun = false } = flags as VexFlags;
  const { planned, leftOut } = await planDocument(vex, everywhere, session);
  const outcomes: Outcome[] = [];
  let failure: RequestError | undefined;
  for (const plan of planned) {
    try {
      outcomes.push(
        dryRun
          ? toOutcome(plan, { outcome: 'to be accepted' })
          : await acceptOne(plan, expires.expires_at, session),
      );
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      failure ??= error;
      outcomes.push(toOutcome(plan, { outcome: 'refused', why: error.detail }));
    }
  }
  writeOutcomes([...outcomes, ...leftOut.map(toLeftOut)], expires.expires_at, session);
  if (failure) throw failure;
};
