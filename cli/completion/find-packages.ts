import type { RegistryClient } from '../../shared/api/client/client.ts';
import { ecosystems } from '../../shared/ecosystems/ecosystem.ts';

/** A word that could stand next, and what it means. */
export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** Shorter beginnings say too little: half of the registry has them somewhere. */
const shortest = 2;
const most = 200;

const splitEcosystem = new RegExp(`^(?:(${ecosystems.join('|')}):)?(.+)$`, 's');

/** Finds the names, or after an `@` the versions, that go on as a word begins. */
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

/** Finds the packages that a word could become. A registry that does not answer knows none: nobody waits for a hint. */
export const findPackages = async (
  begun: string,
  client: RegistryClient,
): Promise<readonly Candidate[]> => {
  const found = await findWords(begun, client).catch(() => []);
  return [...new Map(found.map((candidate) => [candidate.word, candidate])).values()];
};
