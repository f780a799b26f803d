import { distance } from 'fastest-levenshtein';
import { type RegistryClient, RequestError } from '../../shared/api/client/client.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { NegativeResultError } from '../failure/negative-result-error.ts';
import { omitFailure } from '../failure/omit-failure.ts';
import type { Invocation } from './command.ts';
import { type Flag, toOption } from './flag-options.ts';
import type { Call } from './route-description.ts';

/** Names with more differences are other names. */
const mostDifferences = 2;
/** A search for the start of a name finds names that differ later. */
const startLength = 3;
const mostRead = 200;
const mostSuggested = 3;

const choices = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const readTexts = ({ arguments: [name = ''], flags }: Invocation) => ({
  name,
  ecosystem: typeof flags['ecosystem'] === 'string' ? flags['ecosystem'] : undefined,
  version: typeof flags['version'] === 'string' ? flags['version'] : undefined,
});

type Query = NonNullable<Parameters<RegistryClient['listVersions']>[0]['query']>;

/** Finds versions of a known package: those most like the typed one first, then the newest. */
const findVersions = async (
  client: RegistryClient,
  invocation: Invocation,
): Promise<readonly string[]> => {
  const { name, ecosystem, version } = readTexts(invocation);
  if (version === undefined) return [];
  const query = { ...(ecosystem && { ecosystem }), limit: mostRead } as Query;
  const { packages } = await client.listVersions({ path: { name }, query });
  const differences = (one: { readonly version: string }): number =>
    Math.min(mostDifferences + 1, distance(one.version, version));
  return packages
    .toSorted((one, other) => differences(one) - differences(other))
    .slice(0, mostSuggested)
    .map(formatPackage);
};

/** Finds packages whose names begin as the typed one and have few other letters. */
const findNames = async (
  client: RegistryClient,
  invocation: Invocation,
): Promise<readonly string[]> => {
  const { name, ecosystem } = readTexts(invocation);
  const search = name.slice(0, startLength);
  const query = { ...(ecosystem && { ecosystem }), search, limit: mostRead } as Query;
  const { packages } = await client.listPackages({ query });
  const near = packages
    .map((one) => ({ text: `${one.ecosystem}:${one.name}`, differences: distance(one.name, name) }))
    .filter(({ differences }) => differences > 0 && differences <= mostDifferences)
    .toSorted((one, other) => one.differences - other.differences);
  return [...new Set(near.map(({ text }) => text))].slice(0, mostSuggested);
};

const suggest = async (client: RegistryClient, invocation: Invocation): Promise<string[]> => {
  const versions = await findVersions(client, invocation).catch(omitFailure);
  const found =
    versions.length > 0 ? versions : await findNames(client, invocation).catch(omitFailure);
  return found.length > 0 ? [`Did you mean ${choices.format(found)}?`] : [];
};

/** Names the flags of the fields with errors; undefined if no such field was given by a flag. */
const nameFlags = (
  { problem }: RequestError,
  all: readonly Flag[],
  { flags }: Invocation,
): string | undefined => {
  const errors = problem?.errors ?? [];
  const given = all.filter((flag) => flags[toOption(flag).attributeName()] !== undefined);
  const findFlag = (path: string) => given.find(({ name }) => name === path)?.typed;
  if (!errors.some(({ path }) => findFlag(path))) return undefined;
  return `${errors.map(({ path, message }) => `${findFlag(path) ?? path} ${message}`).join('; ')}.`;
};

/**
 * Explains to people a refusal in terms of the command: it names flags in place of fields, and similar packages in place of
 * an unknown one. Programs get the answer of the registry.
 * @param invocation with the flags for the ecosystem and version of its package argument
 * @returns the error to throw
 */
export const explainRefusal = async (
  error: unknown,
  { described, session }: Pick<Call, 'described' | 'session'>,
  invocation: Invocation,
): Promise<unknown> => {
  if (!(error instanceof RequestError) || session.format !== 'people') return error;
  if (error.code === 'package_not_found') {
    const advice = await suggest(session.client, invocation);
    return advice.length > 0 ? new NegativeResultError(error.detail, advice) : error;
  }
  const detail = nameFlags(error, [...described.query, ...described.body], invocation);
  return detail === undefined ? error : new NegativeResultError(detail);
};
