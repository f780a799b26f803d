import { explainSource, findHost, type OriginHosts } from '../../domain/packages/source-hosts.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { DeclaredSource } from '../../ecosystems/lockfiles/dependency-file.ts';
import {
  bareFinding,
  type Finding,
  isOwnFinding,
  type ProjectFile,
  type UsedVersion,
} from './findings.ts';

/** Origin hosts of each ecosystem, from the registry's answer. Registries of earlier releases send none. */
export type Origins = { readonly [K in Ecosystem]?: OriginHosts | undefined };

/** Hosts that packages may come from. */
export interface SourceRules {
  readonly origins: Origins;
  /** Further hosts: the registry itself, whose gate serves approved versions, and hosts that the project trusts. */
  readonly trusted: readonly string[];
}

/** An index or link page that a file names, and whether it is an allowed source. */
export interface CheckedSource {
  readonly file: string;
  readonly line?: number;
  readonly kind: DeclaredSource['kind'];
  readonly address: string;
  readonly allowed: boolean;
  /** Reason for the refusal; null if the source is allowed. */
  readonly message: string | null;
}

const unite = (some: readonly OriginHosts[]): OriginHosts => {
  const known = some.flatMap(({ file_hosts }) => (file_hosts === null ? [] : [file_hosts]));
  return {
    index_hosts: [...new Set(some.flatMap(({ index_hosts }) => index_hosts))],
    file_hosts: known.length === 0 ? null : [...new Set(known.flat())],
  };
};

/** Merges the origin hosts of several answers; each answer lists the file hosts of its own versions only. */
export const joinOrigins = (answers: readonly (Origins | undefined)[]): Origins => {
  const ecosystems = new Set(answers.flatMap((one) => Object.keys(one ?? {}) as Ecosystem[]));
  return Object.fromEntries(
    [...ecosystems].map((one) => [one, unite(answers.flatMap((answer) => answer?.[one] ?? []))]),
  );
};

const writeAnew = 'Have the lockfile written anew';

const isYarnLock = (file: string): boolean => /(?:^|[\\/])yarn\.lock$/.test(file);

/** Returns advice on a refused address in some files. */
const advise = (address: string, files: readonly string[]): string => {
  const host = findHost(address);
  if (host === undefined) return `${writeAnew}, with addresses of a registry.`;
  if (URL.parse(address)?.protocol !== 'https:') return `${writeAnew}, with https.`;
  return files.some(isYarnLock)
    ? `Yarn 1 writes the public registry's host in its own way: if ${host} belongs to Yarn, add --registry-host ${host}. Otherwise the file comes from elsewhere: find out why.`
    : `${writeAnew}, or add --registry-host ${host} if it is a mirror that you trust.`;
};

const explain = (
  address: string,
  hosts: ReadonlySet<string> | null,
  files: readonly string[],
): string | undefined => {
  const why = explainSource(address, hosts);
  return why === undefined ? undefined : `It ${why}. ${advise(address, files)}`;
};

/** Returns the allowed file hosts of an ecosystem; null if its file hosts are unknown. */
const listHosts = (
  ecosystem: Ecosystem,
  { origins, trusted }: SourceRules,
): ReadonlySet<string> | null => {
  const { index_hosts = [], file_hosts = null } = origins[ecosystem] ?? {};
  return file_hosts && new Set([...trusted, ...index_hosts, ...file_hosts]);
};

/** Maximum number of refused addresses in one finding. */
const maxReasons = 3;

/** Returns why one of the organisation's own packages must not come from an address. Only named hosts may have it. */
const explainOwn = (address: string, trusted: readonly string[]): string | undefined => {
  const why = explainSource(address, new Set(trusted), 'no host that you named for own packages');
  if (why === undefined) return undefined;
  return `It ${why}. A stranger may have published its name there (dependency confusion). If it is your own repository, add --registry-host ${findHost(address) ?? 'HOST'}.`;
};

/**
 * Returns the finding, with status `other_source` if a file comes from another host or over plain HTTP. The worse statuses
 * `rejected` and `other_content` remain. Own packages may come from trusted hosts only, and not from their origin.
 */
export const holdToSources = (
  finding: Finding,
  { dependency: { ecosystem, addresses = [] }, places }: UsedVersion,
  rules: SourceRules,
): Finding => {
  const hosts = listHosts(ecosystem, rules);
  const files = places.map(({ file }) => file);
  const explainOne = (address: string): string | undefined =>
    isOwnFinding(finding) ? explainOwn(address, rules.trusted) : explain(address, hosts, files);
  const why = new Set(addresses.flatMap((address) => explainOne(address) ?? []));
  if (why.size === 0) return finding;
  const reasons = [...why]
    .slice(0, maxReasons)
    .map((message) => ({ code: 'other_source', message }));
  const isWorse = finding.status === 'rejected' || finding.status === 'other_content';
  return {
    ...finding,
    status: isWorse ? finding.status : 'other_source',
    allowed: false,
    reasons: [...reasons, ...finding.reasons],
  };
};

/** Returns all indexes and link pages that the files name, each with a verdict. */
export const checkSources = (
  files: readonly ProjectFile[],
  rules: SourceRules,
): readonly CheckedSource[] =>
  files.flatMap(({ path, content }) =>
    (content?.sources ?? []).map(({ ecosystem, kind, address, line }) => {
      const { index_hosts, file_hosts } = rules.origins[ecosystem] ?? {};
      const hosts =
        index_hosts && new Set([...rules.trusted, ...index_hosts, ...(file_hosts ?? [])]);
      const message = explain(address, hosts ?? null, [path]) ?? null;
      const place = { file: path, ...(line !== undefined && { line }) };
      return { ...place, kind, address, allowed: message === null, message };
    }),
  );

/** Returns the refused sources as findings. */
export const listOtherSources = (sources: readonly CheckedSource[]): readonly Finding[] =>
  sources.flatMap(({ file, line, address, message }) =>
    message === null
      ? []
      : [
          {
            ...bareFinding,
            ...{ name: address, status: 'other_source', allowed: false },
            reasons: [{ code: 'other_source', message }],
            found_in: [{ file, ...(line !== undefined && { line }) }],
          },
        ],
  );
