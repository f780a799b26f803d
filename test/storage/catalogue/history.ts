import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { statuses } from '../../../shared/domain/review/status.ts';
import { type Ecosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import type { CatalogueLayout } from '../../../shared/storage/catalogue/layout.ts';
import { newestFirst, oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import type { ReviewContext } from '../../../shared/use-cases/review/review-context.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import type { Random } from '../../support/random.ts';
import type { OracleQuery } from './oracle.ts';

/** Cut so small that a few hundred versions cross every boundary many times. */
export const smallLayout: CatalogueLayout = {
  partitionBits: 6,
  largeBucketBits: 4,
  smallBucketBits: 2,
  searchShardBits: 4,
};

/** Few words, so that names and terms meet often. */
const words = ['sql', 'my', 'web', 'server', 'type', 'data', 'json', 'x', 'io', 'mysql'];
const separators = ['-', '_', '.', ''];

const randomName = (random: Random, ecosystem: Ecosystem): string => {
  const word = () => random.pick(words);
  const name = `${word()}${random.pick(separators)}${word()}${random.below(10)}`;
  if (ecosystem === 'npm') return random.below(4) === 0 ? `@${word()}/${name}` : name;
  if (ecosystem === 'maven') return `org.${word()}:${name}`;
  return ecosystem === 'docker' ? `${word()}/${name}` : name;
};

const randomSubmission = (random: Random) => {
  const ecosystem = random.pick(ecosystems);
  const description = Array.from({ length: random.below(5) }, () => random.pick(words)).join(
    random.pick([' ', ', ', '-']),
  );
  return {
    ecosystem,
    name: randomName(random, ecosystem),
    version: `${random.below(3)}.0.0`,
    description,
    license: random.pick(['MIT', 'Apache-2.0', null]),
  };
};

const contextOf = (random: Random, layout: CatalogueLayout): ReviewContext => ({
  actor: { label: 'test', fingerprint: null },
  now: new Date(),
  deadline: { remainingMs: () => 2000 },
  catalogue: { layout, shard: random.below(4) },
  remember: () => [],
});

/** Refusals and faults are part of a history; what is written nevertheless shows in the truth. */
const unlessRefused = async (write: Promise<PackageDetail>): Promise<PackageDetail | undefined> => {
  try {
    return await write;
  } catch (error) {
    const isFault = error instanceof Error && 'isInjected' in error;
    if (error instanceof RegistryError || isFault) return undefined;
    throw error;
  }
};

/** Submits or decides something. Resolves to what was acknowledged, if it was. */
export const writeSomething = (
  random: Random,
  known: readonly PackageDetail[],
  layout: CatalogueLayout,
): Promise<PackageDetail | undefined> => {
  const context = contextOf(random, layout);
  if (known.length === 0 || random.below(3) > 0) {
    return unlessRefused(submitPackage(randomSubmission(random), context));
  }
  const { ecosystem, name, version } = random.pick(known);
  const to = random.pick(['approved', 'rejected'] as const);
  return unlessRefused(
    decidePackage({ ecosystem, name, version }, { to, by: 'test', reason: 'because' }, context),
  );
};

const terms = [
  'sql',
  'my',
  'm',
  'web s',
  'type_',
  'data-j',
  'mysql',
  '@',
  'org.',
  'erv',
  'x',
  'io',
];

export const randomQuery = (random: Random, count: number): OracleQuery => ({
  ...(random.below(2) === 0 && { search: random.pick(terms) }),
  ...(random.below(2) === 0 && { ecosystem: random.pick(ecosystems) }),
  ...(random.below(2) === 0 && { status: random.pick(statuses) }),
  order: random.below(2) === 0 ? newestFirst : oldestFirst,
  limit: 1 + random.below(random.pick([3, 20, 100])),
  offset: random.below(random.pick([1, 8, count + 5])),
});
