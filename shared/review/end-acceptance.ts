import { anonymous } from '../domain/actor.ts';
import { RegistryError } from '../domain/errors.ts';
import type { PackageId } from '../domain/package-id.ts';
import {
  type Acceptance,
  type AcceptanceEnd,
  findOnlyVersion,
} from '../domain/scans/acceptance.ts';
import type { ScanPolicy } from '../domain/scans/judge.ts';
import { readVulnerabilityId } from '../domain/scans/vulnerability-id.ts';
import type { AcceptanceAnswer } from '../schemas/acceptance.ts';
import { addVulnerabilityRecord } from '../store/decisions/records.ts';
import { deleteAcceptanceDue, putAcceptanceDue } from '../store/reviews/due.ts';
import { transact } from '../store/transact.ts';
import {
  AcceptanceOverError,
  endAcceptance,
  listMarked,
  readAcceptance,
} from '../store/vulnerabilities/acceptances.ts';
import type { Write } from '../store/write.ts';
import type { WriteContext } from '../store/write-context.ts';
import { changeEvidence, type EvidenceContext } from './change-evidence.ts';
import { countRows } from './count-rows.ts';
import { dropMark } from './mark-version.ts';
import { showAcceptance } from './show-acceptance.ts';

const tell = (
  { id, number, expires_at }: Acceptance,
  { how, by, reason }: Omit<AcceptanceEnd, 'at'>,
) =>
  ({
    type: 'acceptance.ended',
    by,
    from: 'accepted',
    to: how,
    reason,
    expires_at,
    vulnerability: id,
    acceptance: number,
  }) as const;

/**
 * Ends an acceptance: of one version at once, of others it has the clock take the marks off.
 * @throws {AcceptanceOverError} where it has ended already
 */
const finish = async (
  acceptance: Acceptance,
  end: AcceptanceEnd,
  {
    remembered,
    context,
  }: { readonly remembered: readonly Write[]; readonly context: EvidenceContext },
): Promise<void> => {
  const { actor, deadline, now } = context;
  const facts = tell(acceptance, end);
  const writes = [
    ...remembered,
    ...endAcceptance(acceptance, end),
    deleteAcceptanceDue(acceptance, { kind: 'acceptance-end', due_at: acceptance.expires_at }),
  ];
  const version = findOnlyVersion(acceptance);
  if (version) {
    await changeEvidence(
      version,
      (file) => {
        const change = dropMark(version, file, acceptance);
        return { after: change.after, writes: [...writes, ...change.writes], facts };
      },
      context,
    );
    return;
  }
  const at = now.toISOString();
  await transact(
    [
      ...writes,
      putAcceptanceDue(acceptance, { kind: 'acceptance-over', due_at: at }),
      addVulnerabilityRecord(acceptance, facts, { actor, at }),
    ],
    deadline,
  );
};

/** Ends an acceptance whose time is over. @throws {AcceptanceOverError} where it has ended already */
export const expireAcceptance = (
  acceptance: Acceptance,
  context: Omit<EvidenceContext, 'actor'>,
): Promise<void> => {
  const end = { how: 'expired', by: null, token_label: null, reason: null } as const;
  return finish(
    acceptance,
    { ...end, at: acceptance.expires_at },
    { remembered: [], context: { ...context, actor: anonymous } },
  );
};

const refuseUnknown = (id: string, number: string): RegistryError =>
  new RegistryError(
    'acceptance_not_found',
    `There is no acceptance ${number.slice(0, 20)} of ${id} that holds; GET /vulnerabilities/{id} lists those that there are, and how others ended.`,
  );

/**
 * Takes an acceptance back.
 * @throws {RegistryError} `acceptance_not_found` where there is none of this number that holds
 */
export const withdrawAcceptance = async (
  { id: vulnerability, number }: { readonly id: string; readonly number: string },
  reason: string,
  context: WriteContext<AcceptanceAnswer> & { readonly policy: ScanPolicy },
): Promise<AcceptanceAnswer> => {
  const { actor, now, remember } = context;
  const id = readVulnerabilityId(vulnerability);
  const known = /^[1-9][0-9]{0,7}$/.test(number)
    ? await readAcceptance({ id, number: Number(number) })
    : undefined;
  if (!known || Date.parse(known.expires_at) <= now.getTime()) throw refuseUnknown(id, number);
  const end: AcceptanceEnd = {
    how: 'withdrawn',
    at: now.toISOString(),
    by: actor.label,
    token_label: actor.label,
    reason,
  };
  const marked = await countRows<PackageId>((page) => listMarked(known, page));
  const answer = { ...showAcceptance({ ...known, ended: end }, now), ...marked };
  try {
    await finish(known, end, { remembered: remember(answer), context });
  } catch (error) {
    throw error instanceof AcceptanceOverError ? refuseUnknown(id, number) : error;
  }
  return answer;
};
