import type { RegistryClient } from '../../shared/api/client/client.ts';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';

/** A completion and its description. */
export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** Shorter words match too many packages. */
const shortest = 2;
const most = 200;

const splitEcosystem = new RegExp(`^(?:(${ecosystems.join('|')}):)?(.+)$`, 's');

/** Finds names that start with a word, or versions after an `@`. */
const findWords = async (begun: string, client: RegistryClient): Promise<readonly Candidate[]> => {
  const [, named, typed = ''] = splitEcosystem.exec(begun) ?? [];
  const prefix = named ? `${named}:` : '';
  const ecosystem = { ecosystem: ecosystems.find((one) => one === named) };
  const at = typed.indexOf('@', 1);
  if (at > 0) {
    const name = typed.slice(0, at);
    const { packages } = await client.listVersions({
      path: { name },
      query: { ...ecosystem, limit: most },
    });
    return packages.map(({ version, status }) => ({
      word: `${prefix}${name}@${version}`,
      meaning: status,
    }));
  }
  if (typed.length < shortest) return [];
  const { packages } = await client.listPackages({
    query: { ...ecosystem, search: typed, limit: most },
  });
  return packages.map(({ ecosystem: meaning, name }) => ({ word: `${prefix}${name}`, meaning }));
};

/** Finds the packages that start with a word; none if the registry does not answer. */
export const findPackages = async (
  begun: string,
  client: RegistryClient,
): Promise<readonly Candidate[]> => {
  const found = await findWords(begun, client).catch(() => []);
  return [...new Map(found.map((candidate) => [candidate.word, candidate])).values()];
};
