import { type RegistryClient, RequestError } from '../../shared/api/client/client.ts';
import { CheckRequest } from '../../shared/api/schemas/check.ts';
import { maxChecked } from '../../shared/domain/packages/check-limits.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { matchAnswers } from '../failure/match-answers.ts';
import { formatCount } from '../output/text.ts';
import type { FindWarning } from './command-words.ts';

const PackageToCheck = CheckRequest.shape.packages.element;

/** How many of them are named. */
const mostNamed = 3;

/** An item that the registry can be asked about. */
interface Asked {
  readonly item: JsonObject;
  readonly sent: (typeof PackageToCheck)['_output'];
}

const listAskable = (items: readonly JsonObject[]): Asked[] =>
  items.flatMap((item) => {
    const { ecosystem, name, version } = item;
    const { data } = PackageToCheck.safeParse({ ecosystem, name, version });
    return data ? [{ item, sent: data }] : [];
  });

/** What waits for a decision, and no scan tells of. */
const findUnscanned = async (
  items: readonly JsonObject[],
  client: RegistryClient,
): Promise<ReadonlySet<JsonObject>> => {
  const asked = listAskable(items);
  const unscanned = new Set<JsonObject>();
  for (const some of splitInto(maxChecked, asked)) {
    // That pending ones are let pass spares the registry to look for others in their place.
    const body = { packages: some.map(({ sent }) => sent), allow: ['pending' as const] };
    const answer = await client.checkPackages({ body });
    for (const [{ item }, { reasons }] of matchAnswers(some, answer.packages)) {
      if (reasons.some(({ code }) => code === 'scan_missing')) unscanned.add(item);
    }
  }
  return unscanned;
};

const describe = (items: readonly JsonObject[]): string => {
  const named = items.slice(0, mostNamed).map(({ name, version }) => `${name} ${version}`);
  const more = items.length - named.length;
  const names = [...named, ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
  return `No scan of ${formatCount(items.length)} approved versions has finished: their vulnerabilities are not known (${names}).`;
};

/**
 * Asks which of many versions have no scan, before they are approved: one request for 1,000 of them. Of an approved
 * version the registry would have to be asked one by one. They are approved whatever comes of it.
 */
export const watchScans = async (
  items: readonly JsonObject[],
  client: RegistryClient,
): Promise<FindWarning> => {
  try {
    const unscanned = await findUnscanned(items, client);
    return (done) => {
      const approved = done.filter((item) => unscanned.has(item));
      return approved.length > 0 ? describe(approved) : undefined;
    };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return (done) =>
      done.length > 0 ? `Whether they were scanned cannot be read: ${error.detail}` : undefined;
  }
};
