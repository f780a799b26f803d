import { type RegistryClient, RequestError } from '../../../shared/api/client/client.ts';
import { maxLimit } from '../../../shared/api/schemas/query.ts';
import type { VulnerabilityDetail } from '../../../shared/api/schemas/vulnerability.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { isInScope } from '../../../shared/domain/vulnerabilities/acceptance.ts';
import { foldId } from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { groupBy } from '../../../shared/util/group-by.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { readAllEvents } from '../../many/all-events.ts';
import type { Session } from '../../session/session.ts';
import {
  type AcceptanceLedger,
  type ActiveAcceptance,
  addEvent,
  addShown,
  listInForce,
  openLedger,
} from './active-acceptances.ts';

/** A package, or one version of it. */
export interface VexProduct extends Omit<PackageId, 'version'> {
  readonly version: string | null;
}

/** An acceptance in force, with its vulnerability and the products to name. */
export interface VexSubject {
  readonly acceptance: ActiveAcceptance;
  /** The id as databases write it. */
  readonly id: string;
  readonly aliases: readonly string[];
  /** For an acceptance beyond one package, the known versions with the vulnerability. */
  readonly products: readonly VexProduct[];
}

const parallelReads = 8;

type Detail = Pick<VulnerabilityDetail, 'id' | 'aliases' | 'acceptances' | 'packages'>;

/** Reads a vulnerability, and all versions with it if an acceptance covers more than one package. */
const readVulnerability = async (
  id: string,
  { client, isWide }: { readonly client: RegistryClient; readonly isWide: boolean },
): Promise<Detail | undefined> => {
  try {
    const limit = isWide ? maxLimit : 1;
    const first = await client.showVulnerability({ path: { id }, query: { limit } });
    const packages = [...first.packages];
    let { next } = first;
    while (isWide && next !== null) {
      const page = await client.showVulnerability({
        path: { id },
        query: { limit, after: next },
      });
      packages.push(...page.packages);
      next = page.next;
    }
    return { ...first, packages };
  } catch (error) {
    if (error instanceof RequestError && error.code === 'vulnerability_not_found') return undefined;
    throw error;
  }
};

/** Returns the id in the spelling of databases: acceptances have ids in upper case, and GitHub writes lower case. */
const spell = (id: string, detail: Detail | undefined): string =>
  [...(detail ? [detail.id, ...detail.aliases] : [])].find(
    (one) => one !== id && foldId(one) === foldId(id),
  ) ?? id.replace(/(?<=^GHSA-).*/, (rest) => rest.toLowerCase());

const listProducts = (acceptance: ActiveAcceptance, detail: Detail | undefined): VexProduct[] => {
  const { ecosystem, name, version } = acceptance;
  if (ecosystem !== null && name !== null) return [{ ecosystem, name, version }];
  return (detail?.packages ?? [])
    .filter((one) => isInScope(acceptance, one))
    .map((one) => ({ ecosystem: one.ecosystem, name: one.name, version: one.version }));
};

const isWide = ({ name }: ActiveAcceptance): boolean => name === null;

/** Loads the vulnerabilities of a ledger, which also completes it. */
const loadDetails = async (
  ledger: AcceptanceLedger,
  { client, progress }: Session,
): Promise<ReadonlyMap<string, Detail | undefined>> => {
  const byId = [...groupBy(ledger.active.values(), ({ id }) => foldId(id))];
  let read = 0;
  const details = await runInParallel(byId, parallelReads, async ([id, acceptances]) => {
    const detail = await readVulnerability(id, { client, isWide: acceptances.some(isWide) });
    read += 1;
    progress.show(`${read} of ${byId.length} vulnerabilities read`);
    return [id, detail] as const;
  });
  for (const [, detail] of details) addShown(ledger, detail?.acceptances ?? []);
  return new Map(details);
};

/** The acceptances in force, and the ranges of events that the registry has lost. */
interface LoadedSubjects {
  readonly subjects: readonly VexSubject[];
  readonly lost: readonly { readonly first: number; readonly last: number }[];
}

/**
 * Loads the acceptances in force from the events of the registry, which name all of them, and from their vulnerabilities.
 * @throws {RequestError} if the registry refused, failed or could not be reached
 */
export const loadSubjects = async (
  { ecosystem, now }: { readonly ecosystem: Ecosystem | undefined; readonly now: Date },
  session: Session,
): Promise<LoadedSubjects> => {
  const ledger = openLedger();
  const lost: LoadedSubjects['lost'][number][] = [];
  for await (const page of readAllEvents(session)) {
    for (const event of page.events) addEvent(ledger, event);
    lost.push(...page.lost);
  }
  const details = await loadDetails(ledger, session);
  session.progress.end();
  const subjects = listInForce(ledger, now).map((acceptance): VexSubject => {
    const detail = details.get(foldId(acceptance.id));
    const id = spell(acceptance.id, detail);
    const ids = [detail?.id ?? id, ...(detail?.aliases ?? [])];
    return {
      ...{ acceptance, id },
      aliases: [...new Set(ids)].filter((one) => foldId(one) !== foldId(id)),
      products: listProducts(acceptance, detail).filter(
        (product) => ecosystem === undefined || product.ecosystem === ecosystem,
      ),
    };
  });
  const isWanted = ({ acceptance }: VexSubject): boolean =>
    ecosystem === undefined || acceptance.ecosystem === null || acceptance.ecosystem === ecosystem;
  return { subjects: subjects.filter(isWanted), lost };
};
