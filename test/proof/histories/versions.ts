import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import type { Random } from '../../support/random.ts';

const words = ['sql', 'my', 'web', 'server', 'type', 'data', 'json'];

/** The prefix of a history's package names, unique to the history. */
export const makeTag = (seed: number): string => `h${seed}x`;

/** The versions of a history. One of the packages has two versions. */
export const makeVersions = (random: Random, seed: number): PackageId[] => {
  const names = Array.from({ length: 4 }, (_, at) => {
    const ecosystem = random.pick(ecosystems);
    const name = `${random.pick(words)}-${random.pick(words)}-${makeTag(seed)}-${at}`;
    return { ecosystem, name: ecosystem === 'maven' ? `org.example:${name}` : name };
  });
  return names.flatMap((id, at) =>
    (at === 0 ? ['1.0.0', '2.0.0'] : ['1.0.0']).map((version) => ({ ...id, version })),
  );
};

export const keyOf = ({ ecosystem, name, version }: PackageId): string =>
  `${ecosystem} ${name} ${version}`;
