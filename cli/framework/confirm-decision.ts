import { type RegistryClient, RequestError } from '../../shared/api/client/client.ts';
import type { PackageDetail } from '../../shared/api/schemas/package.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { describeUses } from '../../shared/domain/projects/describe-uses.ts';
import { describeActor } from '../../shared/domain/tokens/describe-actor.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { NegativeResultError } from '../failure/negative-result-error.ts';
import { askYes } from '../input/ask-yes.ts';
import { tryLoadUses } from '../many/project-uses.ts';
import { toOneLine } from '../output/text.ts';
import type { Session } from '../session/session.ts';
import type { Invocation } from './command.ts';

/** The status that a decision reverses. */
const reversed = { approve: 'rejected', reject: 'approved' } as const;

/** Returns whether somebody at a terminal can answer, and has not answered by a flag. */
const mayAsk = ({ terminal, format }: Session, flags: JsonObject): boolean =>
  terminal.err.isTerminal &&
  process.stdin.isTTY === true &&
  format === 'people' &&
  !['yes', 'idempotencyKey', 'expectedStatus', 'keep'].some((flag) => flags[flag]);

/** Returns the version that the registry would decide on; undefined if it would refuse to choose between several. */
const findDecided = async (
  client: RegistryClient,
  { arguments: [name = ''], flags }: Invocation,
): Promise<PackageDetail | undefined> => {
  const { ecosystem, version } = flags as Partial<Pick<PackageDetail, 'ecosystem' | 'version'>>;
  const query = { ...(ecosystem && { ecosystem }), ...(version && { version }) };
  if (version) return client.showPackage({ path: { name }, query });
  const list = (status?: 'pending') =>
    client.listVersions({
      path: { name },
      query: { ...query, ...(status && { status }), limit: 2 },
    });
  const pending = await list('pending').then(({ packages }) => packages);
  const [only, ...others] = pending.length > 0 ? pending : (await list()).packages;
  if (!only || others.length > 0) return undefined;
  return client.showPackage({
    path: { name },
    query: { ecosystem: only.ecosystem, version: only.version },
  });
};

const describeDecision = ({ status, ...detail }: PackageDetail): string => {
  const isApproved = status === 'approved';
  const who = describeActor(
    isApproved
      ? { by: detail.approved_by, token_label: detail.approved_token_label }
      : { by: detail.rejected_by, token_label: detail.rejected_token_label },
  );
  const reason = detail.reason === null ? '' : `: ${detail.reason}`;
  return toOneLine(
    `${formatPackage(detail)} is ${status}${who === null ? '' : ` by ${who}`}${reason}`,
  );
};

/** Names the version that `--dry-run` is about, where only its name was typed. */
const nameDecided = async (
  action: 'approve' | 'reject',
  invocation: Invocation,
  { client, terminal, format }: Session,
): Promise<void> => {
  if (invocation.flags['version'] !== undefined || format !== 'people') return;
  try {
    const detail = await findDecided(client, invocation);
    if (!detail) return;
    const title = toOneLine(formatPackage(detail));
    terminal.err.write(`This would ${action} ${title}, which is ${detail.status}.\n\n`);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    terminal.warn(`The registry did not tell which version this is about: ${error.detail}`);
  }
};

/** Returns the line about the projects that use a version; empty if there are none. */
const findUses = async (detail: PackageDetail, session: Session): Promise<string> => {
  const uses = (await tryLoadUses([detail], session))?.get(detail);
  return uses && uses.projects > 0 ? `Used by ${toOneLine(describeUses(uses))}.\n` : '';
};

/** What an answered question limits the decision to. */
interface Confirmed {
  /** Refuses the decision if the status has changed since the question. */
  readonly body: JsonObject;
  /** The flags for the version of the question. */
  readonly flags: JsonObject;
}

/**
 * Asks at a terminal before a decision that reverses an earlier one, or of which only the name was typed. With `--dry-run`,
 * names the version instead.
 * @returns what the decision is limited to; undefined without a question
 * @throws {NegativeResultError} if the answer is no
 */
export const confirmDecision = async (
  action: 'approve' | 'reject',
  invocation: Invocation,
  session: Session,
): Promise<Confirmed | undefined> => {
  if (invocation.flags['dryRun']) {
    await nameDecided(action, invocation, session);
    return undefined;
  }
  if (!mayAsk(session, invocation.flags)) return undefined;
  const detail = await findDecided(session.client, invocation);
  const isReversal = detail?.status === reversed[action];
  // Somebody who typed only a name has not seen which version the registry chooses.
  const isNamed = invocation.flags['version'] !== undefined;
  if (!detail || (isNamed && !isReversal)) return undefined;
  const uses = action === 'reject' ? await findUses(detail, session) : '';
  const verb = action === 'approve' ? 'Approve' : 'Reject';
  if (await askYes(`${describeDecision(detail)}\n${uses}${verb} it? [y/N] `)) {
    const { status, ecosystem, version } = detail;
    return { body: { expected_status: status }, flags: { ecosystem, version } };
  }
  throw new NegativeResultError('Nothing was changed.');
};
